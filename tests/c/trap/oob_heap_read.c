// expect: trap out-of-bounds 12
// native: address
// A heap block is read right behind its end.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(5 * sizeof *p);
    for (int i = 0; i < 5; i++)
        p[i] = i;
    int r = p[4];
    r += p[5];
    free(p);
    return r;
}
