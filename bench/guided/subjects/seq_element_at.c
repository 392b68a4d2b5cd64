// The element at a place, found by walking the chain.
// function: element_at
// options: --no-aliases
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

struct sequence {
    struct node *first;
};

/* The node at a place, or NULL. */
static struct node *node_at(const struct sequence *s, int place)
{
    if (place < 0)
        return NULL;  // point
    struct node *at = s->first;
    while (at != NULL && place > 0) {
        at = at->next;
        place--;
    }
    return at;
}

int element_at(const struct sequence *s, int place, int *found)
{
    if (s == NULL)
        return -1;
    struct node *at = node_at(s, place);
    if (at == NULL)
        return -2;  // point
    if (found != NULL)
        *found = at->value;  // point
    return 0;
}
