// expect: trap null-pointer 10
// native: address
// An element of a null array.
#include <stdlib.h>

int main(void)
{
    int *table = getenv("COVENANT_SURELY_NOT_SET") ? malloc(4) : NULL;
    int i = 3;
    table[i] = 5;
    return 0;
}
