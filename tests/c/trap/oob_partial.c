// expect: trap out-of-bounds 11
// native: address
// Eight bytes are read where only the first four are inside.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(12);
    for (int i = 0; i < 12; i++)
        p[i] = 0;
    long v = *(long *)(p + 8);
    free(p);
    return (int)v;
}
