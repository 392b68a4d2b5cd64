// expect: trap double-free|use-after-free 10
// native: address
// A freed block is given to realloc.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4);
    free(p);
    p = realloc(p, 8);
    return p != 0;
}
