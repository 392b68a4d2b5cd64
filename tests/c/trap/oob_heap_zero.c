// expect: trap out-of-bounds 8
// A block of size zero has no byte to write.
#include <stdlib.h>

int main(void)
{
    char *p = malloc(0);
    *p = 1;
    free(p);
    return 0;
}
