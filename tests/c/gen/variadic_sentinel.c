// Callers are asked for a null pointer behind the last argument; not all tests end their arguments so.
// function: count_of
// expect: covered 4 infeasible 0 unknown 0
#include <stdarg.h>
#include <stddef.h>

__attribute__((sentinel)) int count_of(int most, ...)
{
    va_list names;
    int count = 0;
    va_start(names, most);
    while (count < most && va_arg(names, const char *) != NULL)
        count++;
    va_end(names);
    return count;
}
