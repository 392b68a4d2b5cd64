// What a count in memory is, the function says itself, since what it calls only reads: of the fifteen paths within the bound
// seven exclude themselves, and no way through the called function need be tried for them.
// function: count
// options: -c local-path --loop-bound 2 -s guided --no-aliases
// expect: local-path covered 8 infeasible 7 unknown 0
// tests: 8
#include <stddef.h>

struct item {
    int value;
    const struct item *next;
};

static int is_wanted(const struct item *at, int value)
{
    return at->value == value;
}

int count(const struct item *at, int value, unsigned *found)
{
    if (found == NULL)
        return -1;
    *found = 0;
    while (at != NULL) {
        if (is_wanted(at, value))
            (*found)++;
        at = at->next;
    }
    if (*found == 0)
        return 0;
    return 1;
}
