// Some runs do not end. They are ended by the limit of steps, natively by the clock, and what they reached counts.
// function: spin
// options: --max-steps 20000
// expect: covered 7 infeasible 1 unknown 0
// expect: infeasible 15:16 false
int seen;

int spin(int n, int limit);
int spin(int n, int limit)
{
    int turns = 0;
    if (limit < 0)
        return -1;
    if (n == 7) {
        while (n) {
            if (seen == 3)
                seen = 4;
            n = n | 1;
        }
        return 1;
    }
    return turns;
}
