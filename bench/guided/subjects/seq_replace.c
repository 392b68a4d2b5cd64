// Puts another element at a place and hands the old one over.
// function: replace_at
// options: --no-aliases
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

struct sequence {
    struct node *first;
};

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

int replace_at(struct sequence *s, int place, int value, int *old)
{
    if (s == NULL)
        return -1;
    struct node *at = node_at(s, place);
    if (at == NULL)
        return -2;
    if (old != NULL)
        *old = at->value;  // point
    at->value = value;  // point
    return 0;
}
