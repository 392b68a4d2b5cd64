/* A heap of entries in an array. */
#include <stddef.h>

#define ROOM 7

struct entry {
    int key, value;
};

struct heap {
    unsigned size;
    struct entry *entries[ROOM];
};

static inline int compare(const struct entry *a, const struct entry *b)
{
    if (a->key < b->key)
        return -1;
    if (a->key > b->key)
        return 1;
    return 0;
}

static inline void swap(struct heap *h, unsigned a, unsigned b)
{
    struct entry *old = h->entries[a];
    h->entries[a] = h->entries[b];
    h->entries[b] = old;
}
