// expect: trap out-of-bounds 10
// native: address
// A write just before a heap block.
#include <stdlib.h>

int main(void)
{
    long *p = malloc(4 * sizeof *p);
    int i = -1;
    p[i] = 7;
    free(p);
    return 0;
}
