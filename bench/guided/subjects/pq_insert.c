// A priority queue as a sorted list: a new entry goes before the first with a larger key.
// function: pq_insert
// options: --no-aliases
#include <stddef.h>
#include <stdlib.h>

struct entry {
    int key;
    struct entry *next;
};

struct queue {
    struct entry *first;
    unsigned size;
};

/* The last entry whose key is not larger. */
static struct entry *last_before(struct entry *at, int key)
{
    while (at->next != NULL && at->next->key <= key)
        at = at->next;
    return at;
}

/* Keys are from 0 to 999. */
static int valid(int key)
{
    return key >= 0 && key < 1000;
}

int pq_insert(struct queue *q, int key)
{
    if (q == NULL || !valid(key))
        return -1;  // point
    struct entry *fresh = malloc(sizeof *fresh);
    if (fresh == NULL)
        return -2;
    fresh->key = key;
    if (q->first == NULL || q->first->key > key) {
        fresh->next = q->first;
        q->first = fresh;
    } else {
        struct entry *before = last_before(q->first, key);
        fresh->next = before->next;
        before->next = fresh;  // point
    }
    q->size++;
    return 0;  // point
}
