// An unsigned countdown stays within what it started from and ends at zero.
// function: launch
// expect: covered 6 infeasible 2 unknown 0
// expect: infeasible 13:13 true
// expect: infeasible 18:9 true
int next(void);

int launch(unsigned n);
int launch(unsigned n)
{
    unsigned i;
    for (i = n; i > 0; i--) {
        if (i > n)
            return -1;
        if (next() == 9)
            return 1;
    }
    if (i != 0)
        return -2;
    return 0;
}
