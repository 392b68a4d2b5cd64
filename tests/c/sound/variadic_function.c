// Arguments that only the caller knows.
// function: total
// reachable: 14:9 true
// reachable: 14:9 false
// reachable: 17:9 true
// reachable: 17:9 false
#include <stdarg.h>
int total(int count, ...);
int total(int count, ...)
{
    va_list list;
    va_start(list, count);
    int sum = 0;
    if (count > 0)
        sum = va_arg(list, int);
    va_end(list);
    if (sum == 12)
        return 1;
    return 0;
}
