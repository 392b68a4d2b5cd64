// expect: trap invalid-free 9
// native: address
// realloc of a pointer into the middle of a block.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(10 * sizeof *p);
    p = realloc(p + 1, 100);
    return p == 0;
}
