// Bits are only taken from an allowed set, so no other bit is ever set.
// function: collect
// expect: covered 5 infeasible 1 unknown 0
// expect: infeasible 19:9 true
unsigned next(void);

int collect(unsigned allowed);
int collect(unsigned allowed)
{
    unsigned seen = 0;
    for (;;) {
        unsigned bits = next();
        if (bits == 0)
            break;
        seen |= bits & allowed;
        if (bits == 3)
            seen &= ~1u;
    }
    if (seen & ~allowed)
        return -1;
    return seen == 6;
}
