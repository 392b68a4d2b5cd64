// Takes the element at a place away.
// function: remove_at
// options: --no-aliases
#include "sequence.h"

int remove_at(struct sequence *s, int place, int *removed)
{
    if (s == NULL || removed == NULL || s->first == NULL)
        return -1;  // point
    if (place == 0) {
        *removed = s->first->value;
        s->first = s->first->next;
        return 0;
    }
    struct node *before = node_at(s, place - 1);
    if (before == NULL || before->next == NULL)
        return -2;  // point
    *removed = before->next->value;
    before->next = before->next->next;
    return 0;  // point
}
