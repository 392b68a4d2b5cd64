// expect: trap out-of-bounds 12
// native: address
// The position is that of the macro's use.
#include <stdlib.h>
#define GET(p, i) ((p)[(i)])

int main(void)
{
    int *v = calloc(2, sizeof *v);
    int r = GET(v, 0) +
            GET(v, 1);
    r += GET(v, 2);
    free(v);
    return r;
}
