// expect: trap invalid-free 11
// native: address
// free of a global object.
#include <stdlib.h>

static int global;

int main(void)
{
    int *p = &global;
    free(p);
    return 0;
}
