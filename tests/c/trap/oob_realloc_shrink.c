// expect: trap out-of-bounds 12
// native: address
// After shrinking, the old end is outside.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(100 * sizeof *p);
    p[99] = 1;
    p = realloc(p, 10 * sizeof *p);
    p[9] = 2;
    p[10] = 3;
    free(p);
    return 0;
}
