// Each finished turn counts for one of two sums, whichever way the turn ends.
// function: sort_out
// expect: covered 7 infeasible 1 unknown 0
// expect: infeasible 23:9 true
int next(void);

int sort_out(unsigned n);
int sort_out(unsigned n)
{
    unsigned taken = 0;
    unsigned skipped = 0;
    unsigned i;
    for (i = 0; i < n; i++) {
        int v = next();
        if (v == 0)
            break;
        if (v < 0) {
            skipped++;
            continue;
        }
        taken++;
    }
    if (taken + skipped != i)
        return -1;
    return skipped == 2;
}
