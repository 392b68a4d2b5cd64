// GNU zero-length arrays and empty structs.
#include <stdio.h>
#include <stdlib.h>

struct empty {};

struct tail {
    int n;
    int v[0];
};

struct wrap {
    struct empty e;
    int x;
    struct empty f;
};

static struct empty pass(struct empty e, int *n)
{
    *n += 1;
    return e;
}

int main(void)
{
    printf("%zu %zu %zu\n", sizeof(struct empty), sizeof(struct tail), sizeof(struct wrap));
    struct tail *t = malloc(sizeof *t + 3 * sizeof(int));
    t->n = 3;
    for (int i = 0; i < t->n; i++)
        t->v[i] = i + 10;
    printf("%d %d\n", t->v[0], t->v[2]);
    free(t);
    struct empty e = {};
    int n = 0;
    e = pass(e, &n);
    struct wrap w = {e, 5, e};
    printf("%d %d\n", n, w.x);
    return n;
}
