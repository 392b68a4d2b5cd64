// A static counter inside a function stops at ten.
// function: ring_bell
// options: --globals initial
// expect: covered 6 infeasible 2 unknown 0
// expect: infeasible 21:13 true
// expect: infeasible 21:26 true
static unsigned bell(void)
{
    static unsigned calls;
    if (calls < 10)
        calls++;
    return calls;
}

int ring_bell(int n);
int ring_bell(int n)
{
    unsigned last = 0;
    for (int i = 0; i < n; i++) {
        last = bell();
        if (last > 10 || last == 0)
            return -1;
    }
    return last == 10;
}
