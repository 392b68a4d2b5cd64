// What is before the first element that a function is given, as far as it goes back.
// function: run_length
// expect: covered 8 infeasible 0 unknown 0
int run_length(const int *a);
int run_length(const int *a)
{
    int n = 0;
    if (!a)
        return -1;
    while (n < 7 && a[-1 - n] == a[0])
        n++;
    if (n == 7)
        return 100;
    return n;
}
