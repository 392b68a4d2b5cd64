// A context that arrives as `void *`: the conversion says what it is.
// function: step
// expect: covered 8 infeasible 0 unknown 0
#include <stddef.h>

struct meter {
    int level;
    const char *unit;
};

int step(void *context, int by);
int step(void *context, int by)
{
    struct meter *meter = context;
    if (meter == NULL)
        return -1;
    if (meter->level > 100)
        return 1;
    if (meter->unit != NULL && meter->unit[0] == 'K')
        meter->level += by & 7;
    return 0;
}
