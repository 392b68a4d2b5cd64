// A counter of 64 bits that goes up by three where an index of 32 bits goes up by one.
// function: triple
// expect: covered 3 infeasible 1 unknown 0
// expect: infeasible 12:9 true
int triple(int n);
int triple(int n)
{
    long long total = 0;
    int i;
    for (i = 0; i < n; i++)
        total += 3;
    if (total != 3LL * i)
        return -1;
    return total > 30;
}
