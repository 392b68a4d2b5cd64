// A priority queue as a heap in an array: a new key rises until its parent is not larger.
// function: hpq_insert
// options: --no-aliases
#include <stddef.h>

#define ROOM 7

struct heap {
    unsigned size;
    int keys[ROOM];
};

static void swap(int *a, int *b)
{
    int old = *a;
    *a = *b;
    *b = old;
}

/* Whether the key at a place is smaller than that of its parent. */
static int rises(const struct heap *h, unsigned at)
{
    if (at == 0)
        return 0;
    return h->keys[at] < h->keys[(at - 1) / 2];
}

int hpq_insert(struct heap *h, int key)
{
    if (h == NULL || h->size >= ROOM)
        return -1;
    if (key < 0)
        return -2;  // point
    unsigned at = h->size++;
    h->keys[at] = key;
    while (rises(h, at)) {
        swap(&h->keys[at], &h->keys[(at - 1) / 2]);  // point
        at = (at - 1) / 2;
    }
    if (at == 0)
        return 1;
    return 0;  // point
}
