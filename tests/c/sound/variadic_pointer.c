// A pointer that is passed as a variadic argument is known to the callee.
// function: set_by_list
// reachable: 22:9 true
// reachable: 22:9 false
#include <stdarg.h>
static void set(int count, ...)
{
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        *va_arg(list, int *) = count;
    va_end(list);
}

int set_by_list(unsigned key);
int set_by_list(unsigned key)
{
    int x = 0;
    // Some key does it, which is not found by solving.
    unsigned mixed = key * 2654435761u % 1000003u * key;
    set(mixed % 65521u == 4711u, &x);
    if (x == 1)
        return 1;
    return 0;
}
