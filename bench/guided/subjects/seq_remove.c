// Takes the element at a place away.
// function: remove_at
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
        return NULL;
    struct node *at = s->first;
    while (at != NULL && place > 0) {
        at = at->next;
        place--;  // point
    }
    return at;
}

int remove_at(struct sequence *s, int place, int *removed)
{
    if (s == NULL || removed == NULL || s->first == NULL)
        return -1;
    if (place == 0) {
        *removed = s->first->value;
        s->first = s->first->next;
        return 0;
    }
    struct node *before = node_at(s, place - 1);
    if (before == NULL || before->next == NULL)
        return -2;  // point
    *removed = before->next->value;
    before->next = before->next->next;  // point
    return 0;
}
