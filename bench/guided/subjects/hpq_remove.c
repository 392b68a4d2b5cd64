// Takes the smallest key of a heap away: the last one takes its place and sinks.
// function: hpq_remove
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

/* The child with the smaller key, or the place itself if it has no smaller child. */
static unsigned smaller(const struct heap *h, unsigned at)
{
    unsigned left = 2 * at + 1, right = left + 1, best = at;
    if (left < h->size && h->keys[left] < h->keys[best])
        best = left;
    if (right < h->size && h->keys[right] < h->keys[best])
        best = right;
    return best;
}

int hpq_remove(struct heap *h, int *key)
{
    if (h == NULL || key == NULL)
        return -1;
    if (h->size == 0 || h->size > ROOM)
        return -2;  // point
    *key = h->keys[0];
    h->size--;
    if (h->size == 0)
        return 0;
    h->keys[0] = h->keys[h->size];
    unsigned at = 0;
    for (;;) {
        unsigned next = smaller(h, at);
        if (next == at)
            break;
        swap(&h->keys[at], &h->keys[next]);  // point
        at = next;
    }
    if (at > 2)
        return 2;  // point
    return 1;
}
