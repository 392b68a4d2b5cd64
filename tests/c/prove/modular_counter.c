// A counter that is put back to zero at seven is never seven or more.
// function: turn
// expect: covered 5 infeasible 1 unknown 0
// expect: infeasible 12:13 true
int next(void);

int turn(void);
int turn(void)
{
    unsigned slot = 0;
    while (next() != 0) {
        if (slot > 6)
            return -1;
        slot++;
        if (slot == 7)
            slot = 0;
    }
    return slot == 5;
}
