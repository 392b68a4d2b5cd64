// What C gives no meaning to: a sum that does not fit, shifts by too much, addresses that tests of changes look at.
// function: climb
// expect: covered 10 infeasible 0 unknown 0
#include <limits.h>

int climb(int from, int by, const char *text)
{
    const char *end = text;
    if (from == INT_MAX)
        return from + 1;
    int top = from + by;
    if (by > 1000000000 && from != 0)
        top = top - 1;
    if (text)
        while (*end == 'x')
            end++;
    return top + (int)(end - text);
}
