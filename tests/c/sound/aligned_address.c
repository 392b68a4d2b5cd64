// An address may be any number.
// function: is_aligned
// reachable: 11:9 true
// reachable: 11:9 false
// reachable: 13:9 true
// reachable: 13:9 false
#include <stdint.h>
int is_aligned(const char *p);
int is_aligned(const char *p)
{
    if (((uintptr_t)p & 7) == 0)
        return 1;
    if ((uintptr_t)p > 0x7fff00000000u)
        return 2;
    return 0;
}
