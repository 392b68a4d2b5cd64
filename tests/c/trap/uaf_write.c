// expect: trap use-after-free 15
// native: address
// A freed block is written through a second pointer.
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

int main(void)
{
    struct node *a = calloc(1, sizeof *a), *alias = a;
    free(a);
    alias->v = 1;
    return 0;
}
