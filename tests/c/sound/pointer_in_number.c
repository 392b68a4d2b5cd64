// A pointer arrives as a number.
// function: decodes
// reachable: 12:9 true
// reachable: 12:9 false
// reachable: 14:9 true
// reachable: 14:9 false
#include <stdint.h>
int decodes(uintptr_t handle);
int decodes(uintptr_t handle)
{
    const int *p = (const int *)handle;
    if (!p)
        return -1;
    if (*p == 6)
        return 1;
    return 0;
}
