// A caller may pass more arguments than are tried, and structs among them.
// function: count_odd
// reachable: 18:9 true
// reachable: 18:9 false
// reachable: 20:9 true
// reachable: 20:9 false
#include <stdarg.h>
struct pair { int a, b; };
int count_odd(int n, ...);
int count_odd(int n, ...)
{
    struct pair pair = {0, 0};
    va_list list;
    int odd = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        odd += va_arg(list, int) & 1;
    if (odd == 100)
        pair = va_arg(list, struct pair);
    if (pair.a == 3)
        return pair.b;
    va_end(list);
    return odd;
}
