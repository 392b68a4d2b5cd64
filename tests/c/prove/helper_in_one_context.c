// A helper called from two loops: its check fails in the second alone, so both outcomes can be covered. What is
// below zero fails in neither.
// function: both
// expect: covered 10 infeasible 2 unknown 0
// expect: infeasible 11:9 true
// expect: infeasible 24:13 true
int next(void);

static int half(int v)
{
    if (v < 0)
        return -1;
    if (v & 1)
        return -2;
    return v / 2;
}

int both(int n);
int both(int n)
{
    int sum = 0;
    int even = 0;
    while (even < 20 && next() != 0) {
        if (half(even) == -2)
            return -1;
        even += 2;
    }
    for (int i = 0; i < n; i++)
        sum ^= half(i);
    return sum;
}
