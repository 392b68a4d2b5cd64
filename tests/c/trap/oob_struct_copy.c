// expect: trap out-of-bounds 12
// native: address
// A whole struct is copied out of a block that is too small for it.
#include <stdlib.h>

struct big { long v[8]; };

int main(void)
{
    struct big *p = calloc(1, sizeof *p - 8);
    struct big b;
    b = *p;
    free(p);
    return (int)b.v[0];
}
