/* A sequence of nodes. */
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

struct sequence {
    struct node *first;
};

/* The node at a place, or NULL. */
static inline struct node *node_at(const struct sequence *s, int place)
{
    if (place < 0)
        return NULL;
    struct node *at = s->first;
    while (at != NULL && place > 0) {
        at = at->next;
        place--;
    }
    return at;
}
