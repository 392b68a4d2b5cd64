// A changed operator goes on to evaluate calls that the program left out: what they would return is computed beside it.
// function: check
// options: -c mutation
// expect: mutation covered 79 infeasible 1 unknown 0
// expect: infeasible 43:21 && becomes ||
#include <stdbool.h>
#include <stddef.h>

static int steps;

static bool in_range(int value)
{
    return value >= -50 && value <= 50;
}

/* Reads memory on one of its ways only. */
static bool is_small(const int *p)
{
    if (p == NULL)
        return false;
    return *p < 3 && in_range(*p);
}

/* The same question the other way round. */
static bool again(int value)
{
    return !in_range(value);
}

static bool counted(int value)
{
    steps++;
    return value > 0;
}

int check(int a, int b, int c, const int *p)
{
    int faults = 0;
    if (!in_range(a) || !in_range(b) || !in_range(c))
        faults++;
    if (a > 3 && is_small(p))
        faults += 2;
    if (in_range(b) && !again(b))
        faults += 4;
    if (a > b || counted(c))
        faults += 8;
    return faults + steps;
}
