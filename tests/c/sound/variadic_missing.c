// What a variadic function reads and nobody passed is written and returned: whatever it is, no test may count on it.
// function: note
// reachable: 14:9 true
// reachable: 14:9 false
// reachable: 16:9 true
// reachable: 16:9 false
#include <stdarg.h>
int note(int *to, int count, ...);
int note(int *to, int count, ...)
{
    va_list list;
    int value = -1;
    va_start(list, count);
    if (count > 0)
        value = va_arg(list, int);
    if (to != 0)
        to[0] = value;
    va_end(list);
    return value;
}
