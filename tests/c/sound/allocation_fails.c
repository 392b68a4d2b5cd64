// Memory may be used up.
// function: grow
// reachable: 14:9 true
// reachable: 14:9 false
// reachable: 17:9 true
// reachable: 17:9 false
// reachable: 22:9 true
// reachable: 22:9 false
#include <stdlib.h>
int grow(int n);
int grow(int n)
{
    int *a = malloc(16);
    if (!a)
        return -1;
    int *b = calloc(4, 4);
    if (b == NULL) {
        free(a);
        return -2;
    }
    int *c = realloc(a, 64);
    if (c == NULL)
        c = a;
    int r = n > 0;
    free(b);
    free(c);
    return r;
}
