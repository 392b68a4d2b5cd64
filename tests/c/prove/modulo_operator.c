// The remainder by seven of a sum stays below seven from turn to turn.
// function: wheel
// expect: covered 3 infeasible 1 unknown 0
// expect: infeasible 15:13 true
int next(void);

int wheel(unsigned position);
int wheel(unsigned position)
{
    position %= 7;
    for (;;) {
        int by = next();
        if (by == 0)
            break;
        if (position >= 7)
            return -1;
        position = (position + (unsigned)by % 7) % 7;
    }
    return position == 6;
}
