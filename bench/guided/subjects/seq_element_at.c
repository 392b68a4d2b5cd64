// The element at a place, found by walking the chain.
// function: element_at
// options: --no-aliases
#include "sequence.h"

int element_at(const struct sequence *s, int place, int *found)
{
    if (s == NULL)
        return -1;  // point
    struct node *at = node_at(s, place);
    if (at == NULL)
        return -2;
    if (found != NULL)
        *found = at->value;  // point
    return 0;  // point
}
