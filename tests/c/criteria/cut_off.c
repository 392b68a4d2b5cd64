// What no path leads to is cut off by a condition that is the same in all runs, by a call that does not return, or by both
// outcomes of a decision excluding what comes later.
// function: cut
// options: -c statement --max-steps 10000
// expect: statement covered 11 infeasible 3 unknown 0
// tests: 4
void stop(void) __attribute__((noreturn));
void stop(void)
{
    for (;;)
        ;
}

static int trace(int x, int level)
{
    if (level > 3)
        return x;
    return 1;
}

int cut(int x);
int cut(int x)
{
    int level = 2;
    int r = trace(x, level);
    if (level * 2 == 5)
        r = 9;
    if (x == 5) {
        stop();
        r = 8;
    }
    if (x > 10) {
        if (x < 5)
            r = 7;
    }
    return r;
}
