// A function of the caller's own: it may return anything.
// function: each
// expect: covered 10 infeasible 0 unknown 0
#include <stddef.h>

typedef int (*visitor)(void *context, int value);

int each(const int *values, int count, visitor visit, void *context);
int each(const int *values, int count, visitor visit, void *context)
{
    if (!values || !visit || count > 3)
        return -1;
    for (int i = 0; i < count; i++)
        if (visit(context, values[i]) == 77)
            return i;
    return count;
}
