// A pointer and an index walk over an array side by side.
// function: zeros
// options: --array-len 64 --pointers valid --assume n<=64
// expect: covered 6 infeasible 2 unknown 0
// expect: infeasible 14:13 true
// expect: infeasible 14:27 true
int zeros(const int *a, unsigned n);
int zeros(const int *a, unsigned n)
{
    const int *end = a + n;
    unsigned i = 0;
    int found = 0;
    for (const int *p = a; p < end; p++) {
        if (p != a + i || i >= n)
            return -1;
        if (*p == 0)
            found++;
        i++;
    }
    return found == 3;
}
