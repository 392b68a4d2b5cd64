// A priority queue as a heap of entries in an array: a new entry rises until its parent is not larger.
// function: hpq_insert
// options: --no-aliases
#include "heap.h"

/* Whether the entry at a place is smaller than its parent. */
static int rises(const struct heap *h, unsigned at)
{
    if (at == 0 || h->entries[(at - 1) / 2] == NULL)
        return 0;
    return compare(h->entries[at], h->entries[(at - 1) / 2]) < 0;
}

int hpq_insert(struct heap *h, struct entry *fresh)
{
    if (h == NULL || fresh == NULL || h->size >= ROOM)
        return -1;  // point
    if (fresh->key < 0)
        return -2;
    unsigned at = h->size++;
    h->entries[at] = fresh;
    while (rises(h, at)) {
        swap(h, at, (at - 1) / 2);
        at = (at - 1) / 2;  // point
    }
    if (at == 0)
        return 1;
    return 0;  // point
}
