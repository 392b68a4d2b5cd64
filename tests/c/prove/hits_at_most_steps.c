// What is counted in some turns of a loop is never more than the turns.
// function: count
// expect: covered 5 infeasible 1 unknown 0
// expect: infeasible 17:9 true
int next(void);

int count(int n);
int count(int n)
{
    int hits = 0;
    int i = 0;
    while (i < n) {
        if (next() > 7)
            hits++;
        i++;
    }
    if (hits > i)
        return -1;
    return hits;
}
