// expect: trap use-after-free 12
// native: address
// memcpy out of a freed block.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    long *p = calloc(4, sizeof *p);
    long copy[4];
    free(p);
    memcpy(copy, p, sizeof copy);
    return (int)copy[0];
}
