// What a stream is made of is the C library's own, also where something else points to it by mistake.
// function: keep
// options: --file in=1
// expect: covered 6 infeasible 0 unknown 0
#include <stdio.h>

struct list {
    FILE *files[2];
    const char **names;
};

static struct list list;

FILE *keep(int at, int named)
{
    FILE *in = fopen("in", "r");
    if (in == NULL)
        return NULL;
    if (named)
        list.names = (const char **)in;
    if (at == 1)
        list.files[1] = in;
    return in;
}
