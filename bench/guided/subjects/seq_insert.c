// A new element at a place; what was there comes after it.
// function: insert_at
// options: --no-aliases
#include <stddef.h>
#include <stdlib.h>

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
        return NULL;
    struct node *at = s->first;
    while (at != NULL && place > 0) {
        at = at->next;
        place--;
    }
    return at;
}

int insert_at(struct sequence *s, int place, int value)
{
    if (s == NULL || place < 0)
        return -1;
    struct node *fresh = malloc(sizeof *fresh);
    if (fresh == NULL)
        return -2;
    fresh->value = value;
    if (place == 0) {
        fresh->next = s->first;
        s->first = fresh;
        return 0;  // point
    }
    struct node *before = node_at(s, place - 1);
    if (before == NULL) {
        free(fresh);
        return -3;  // point
    }
    fresh->next = before->next;
    before->next = fresh;  // point
    return 0;
}
