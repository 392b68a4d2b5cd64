// expect: trap out-of-bounds 11
// native: address
// strlen of an array without a terminating zero.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(4);
    memset(p, 'x', 4);
    size_t n = strlen(p);
    free(p);
    return (int)n;
}
