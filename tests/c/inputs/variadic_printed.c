// Arguments that only the C library asks for, by a format.
// function: describe
// expect: covered 4 infeasible 0 unknown 0
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int describe(int verbose, const char *name, ...);
int describe(int verbose, const char *name, ...)
{
    char text[40];
    va_list list;
    va_start(list, name);
    vsnprintf(text, sizeof text, verbose ? "%d %s" : "%d", list);
    va_end(list);
    if (strcmp(text, "7 up") == 0)
        return 1;
    return 0;
}
