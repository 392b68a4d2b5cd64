// expect: trap use-after-free 11
// native: address
// A freed block is read.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 3;
    free(p);
    return *p;
}
