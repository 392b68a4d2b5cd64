// The latest time seen is never before the first.
// function: clock_in
// expect: covered 5 infeasible 1 unknown 0
// expect: infeasible 19:9 true
long long now(void);

int clock_in(void);
int clock_in(void)
{
    long long first = now();
    long long latest = first;
    for (;;) {
        long long t = now();
        if (t == 0)
            break;
        if (t > latest)
            latest = t;
    }
    if (latest < first)
        return -1;
    return latest == first;
}
