// Twelve hits are possible, but take twelve turns; more hits than turns are not.
// function: hunt
// expect: covered 7 infeasible 1 unknown 0
// expect: infeasible 18:13 true
int next(void);

int hunt(unsigned n);
int hunt(unsigned n)
{
    unsigned hits = 0;
    unsigned turn = 0;
    while (turn < n) {
        turn++;
        if (next() == 1234)
            hits++;
        if (hits == 12)
            return 1;
        if (hits > turn)
            return -1;
    }
    return 0;
}
