// memcmp of more bytes than an object has, where the first that differ come before its end.
// function: compare
// expect: covered 12 infeasible 0 unknown 0
#include <string.h>

int compare(const char *a, const char *b, unsigned long n);
int compare(const char *a, const char *b, unsigned long n)
{
    if (!a || !b || n < 20 || n > 40)
        return -1;
    if (memcmp(a, b, n) == 0)
        return 1;
    return a[0] == 'x' ? 2 : 3;
}
