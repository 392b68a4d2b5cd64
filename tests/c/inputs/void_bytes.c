// A `void *` that nobody converts to a struct is a row of bytes.
// function: tell
// expect: covered 6 infeasible 0 unknown 0
#include <string.h>

int tell(const void *a, const void *b);
int tell(const void *a, const void *b)
{
    if (!a || !b)
        return -1;
    if (memcmp(a, b, 4) == 0)
        return 1;
    return 0;
}
