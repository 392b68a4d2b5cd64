// What its callers pass: the function is static, and only two functions lead to it, one of them by another static one.
// function: clamped
// options: --context callers
// expect: covered 5 infeasible 3 unknown 0
// expect: infeasible 14:9 true
// expect: infeasible 16:9 true
// expect: infeasible 18:19 true
// expect: covered 18:9 true
#include <stddef.h>

static int clamped(const int *table, int size, int at)
{
    /* No caller passes NULL. */
    if (table == NULL)
        return 0;
    if (size < 1)
        return -1;
    if (at < 0 || at >= size)
        return table[0];
    return table[at];
}

static int third(const int *table, int size)
{
    return clamped(table, size, 2);
}

int of_three(int at);
int of_three(int at)
{
    static const int values[3] = { 7, 9, 11 };
    return at > 2 ? third(values, 3) : clamped(values, 3, at);
}

int of_five(short text);
int of_five(short text)
{
    const int values[5] = { 1, 2, 3, 4, text };
    return text > 4 ? values[4] : clamped(values, 5, text);
}
