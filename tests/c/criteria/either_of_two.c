// Full MC/DC of one conjunction with a disjunction in it. Four evaluations exist and all are needed.
// function: opens
// options: -c mcdc
// expect: mcdc covered 3 infeasible 0 unknown 0
// expect: covered 12:9 independent
// tests: 5
#include <stdbool.h>

int opens(bool locked, bool key, bool code)
{
    locked = !locked;
    if (locked && (key || code))
        return 1;
    return 0;
}
