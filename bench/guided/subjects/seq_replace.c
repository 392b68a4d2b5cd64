// Puts another element at a place and hands the old one over.
// function: replace_at
// options: --no-aliases
#include "sequence.h"

int replace_at(struct sequence *s, int place, int value, int *old)
{
    if (s == NULL)
        return -1;  // point
    struct node *at = node_at(s, place);
    if (at == NULL)
        return -2;
    if (old != NULL)
        *old = at->value;  // point
    at->value = value;
    return 0;  // point
}
