// With at least one turn stated, the loop is never skipped.
// function: fill
// options: --assume n>0
// expect: covered 4 infeasible 2 unknown 0
// expect: infeasible 16:9 true
// expect: infeasible 18:9 true
int fill(int n);
int fill(int n)
{
    int i = 0;
    int touched = 0;
    while (i < n) {
        touched = 1;
        i++;
    }
    if (i == 0)
        return -1;
    if (touched == 0)
        return -2;
    return i;
}
