// A pointer that is passed as a variadic argument is known to the callee.
// function: set_by_list
// reachable: 20:9 true
// reachable: 20:9 false
#include <stdarg.h>
static void set(int count, ...)
{
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        *va_arg(list, int *) = 7;
    va_end(list);
}

int set_by_list(int count);
int set_by_list(int count)
{
    int x = 0;
    set(count > 0, &x);
    if (x == 7)
        return 1;
    return 0;
}
