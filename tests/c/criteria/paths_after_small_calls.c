// What small functions give back is part of what a path says: what `rises` lets pass is not 0, and `larger` gives one of two
// numbers. A function that writes, and one that may not come back, are taken for no more than they are.
// function: raise_up
// options: -c local-path --loop-bound 2 -s guided
// expect: local-path covered 9 infeasible 13 unknown 0
// tests: 9
#include <stdlib.h>

static unsigned char level;

static int rises(unsigned at, int by)
{
    if (at == 0)
        return 0;
    return by > 0;
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* Writes, so that nothing is known of the level after it but what comes back. */
static int step(void)
{
    if (level > 3)
        exit(1);
    level++;
    return level;
}

int raise_up(unsigned at, int by)
{
    if (at > 6)
        return -1;
    while (rises(at, by))
        at = (at - 1) / 2;
    if (at != 0 && by > 0)
        return -2;
    if (larger(at, 2) < 2)
        return -3;
    int up = step();
    if (up > 3)
        return 1;
    return level == 1;
}
