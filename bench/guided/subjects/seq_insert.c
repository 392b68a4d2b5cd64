// A new element at a place; what was there comes after it.
// function: insert_at
// options: --no-aliases
#include "sequence.h"
#include <stdlib.h>

int insert_at(struct sequence *s, int place, int value)
{
    if (s == NULL || place < 0)
        return -1;  // point
    struct node *fresh = malloc(sizeof *fresh);
    if (fresh == NULL)
        return -2;
    fresh->value = value;
    if (place == 0) {
        fresh->next = s->first;
        s->first = fresh;
        return 0;
    }
    struct node *before = node_at(s, place - 1);
    if (before == NULL) {
        free(fresh);
        return -3;  // point
    }
    fresh->next = before->next;
    before->next = fresh;
    return 0;  // point
}
