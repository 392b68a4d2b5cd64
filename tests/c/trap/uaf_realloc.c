// expect: trap use-after-free 13
// native: address
// realloc moved the block; the old pointer is used.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(8);
    p[0] = 'a';
    char *old = p;
    p = realloc(p, 100000);
    int r = p[0];
    r += old[0];
    free(p);
    return r;
}
