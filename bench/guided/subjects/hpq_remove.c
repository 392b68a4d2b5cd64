// Takes the smallest entry of a heap away: the last one takes its place and sinks.
// function: hpq_remove
// options: --no-aliases
#include "heap.h"

static int is_smaller(const struct heap *h, unsigned a, unsigned b)
{
    if (a >= h->size || h->entries[a] == NULL || h->entries[b] == NULL)
        return 0;
    return compare(h->entries[a], h->entries[b]) < 0;
}

/* The child with the smaller key, or the place itself if it has no smaller child. */
static unsigned smaller(const struct heap *h, unsigned at)
{
    unsigned left = 2 * at + 1, right = left + 1, best = at;
    if (is_smaller(h, left, best))
        best = left;
    if (is_smaller(h, right, best))
        best = right;
    return best;
}

int hpq_remove(struct heap *h, struct entry **first)
{
    if (h == NULL || first == NULL)
        return -1;  // point
    if (h->size == 0 || h->size > ROOM)
        return -2;
    *first = h->entries[0];
    h->size--;
    if (h->size == 0)
        return 0;
    h->entries[0] = h->entries[h->size];
    unsigned at = 0;
    for (;;) {
        unsigned next = smaller(h, at);
        if (next == at)
            break;
        swap(h, at, next);
        at = next;  // point
    }
    if (at > 2)
        return 2;
    return 1;  // point
}
