// expect: trap uninitialised 11
// check: uninitialised
// native: memory
// A fresh block from malloc decides a branch.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4 * sizeof *p);
    p[0] = 1;
    if (p[0] == 1 && p[2] == 7)
        return 1;
    free(p);
    return 0;
}
