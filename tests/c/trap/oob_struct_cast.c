// expect: trap out-of-bounds 15
// native: address
// A small object is seen through a larger struct type.
#include <stdlib.h>

struct small { int a; };
struct large { int a, b, c; };

int main(void)
{
    struct small *s = malloc(sizeof *s);
    s->a = 1;
    struct large *l = (struct large *)s;
    int r = l->a;
    r += l->c;
    free(s);
    return r;
}
