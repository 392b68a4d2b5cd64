// What the first loop counts up, the second counts down; nothing is left.
// function: there_and_back
// expect: covered 6 infeasible 2 unknown 0
// expect: infeasible 13:13 true
// expect: infeasible 17:9 true
int there_and_back(unsigned n);
int there_and_back(unsigned n)
{
    unsigned x = 0;
    for (unsigned i = 0; i < n; i++)
        x++;
    for (unsigned i = 0; i < n; i++) {
        if (x == 0)
            return -1;
        x--;
    }
    if (x != 0)
        return -2;
    return 0;
}
