// expect: trap out-of-bounds 11
// native: address
// printf of a string without its terminating zero.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *p = malloc(3);
    p[0] = p[1] = p[2] = 'p';
    printf("%s\n", p);
    free(p);
    return 0;
}
