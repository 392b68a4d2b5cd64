// expect: trap double-free 10
// native: address
// A block is freed twice.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(10), *q = p;
    free(p);
    free(q);
    return 0;
}
