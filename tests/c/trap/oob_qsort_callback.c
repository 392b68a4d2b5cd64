// expect: trap out-of-bounds 9
// native: address
// The comparison function that qsort calls reads outside the elements.
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return x[2] - y[2];
}

int main(void)
{
    int *v = calloc(2, sizeof *v);
    v[0] = 2;
    qsort(v, 2, sizeof *v, compare);
    free(v);
    return 0;
}
