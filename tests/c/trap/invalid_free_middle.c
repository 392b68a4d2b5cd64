// expect: trap invalid-free 10
// native: address
// free of a pointer into the middle of a block.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(10);
    p += 4;
    free(p);
    return 0;
}
