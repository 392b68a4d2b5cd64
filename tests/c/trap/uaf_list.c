// expect: trap use-after-free 12
// native: address
// A list is released with the successor read after its node is gone.
#include <stdlib.h>

struct node {
    struct node *next;
};

static void drop(struct node *n)
{
    for (; n; n = n->next)
        free(n);
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    drop(list);
    return 0;
}
