// expect: trap out-of-bounds 16
// native: address
// A pointer to the last struct of an array steps past it.
#include <stdlib.h>

struct pt {
    int x, y;
};

int main(void)
{
    struct pt *v = calloc(3, sizeof *v);
    struct pt *p = v + 2;
    p->y = 1;
    p++;
    p->y = 2;
    free(v);
    return 0;
}
