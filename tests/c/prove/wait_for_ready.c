// Waiting for a device that may never be ready: the run with all inputs zero does not end.
// function: wait_for
// expect: covered 6 infeasible 2 unknown 0
// expect: infeasible 16:13 true
// expect: infeasible 16:28 true
int status(void);

int wait_for(int want);
int wait_for(int want)
{
    unsigned char waited = 0;
    int seen;
    while ((seen = status()) == 0) {
        if (waited < 6)
            waited++;
        if (waited == 0 || waited > 6)
            return -1;
    }
    return seen == want;
}
