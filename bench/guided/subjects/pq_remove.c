// Takes the smallest entry of a sorted list away, and counts how many have the same key.
// function: pq_remove
// options: --no-aliases
#include <stddef.h>

struct entry {
    int key;
    struct entry *next;
};

struct queue {
    struct entry *first;
    unsigned size;
};

int pq_remove(struct queue *q, int *key, unsigned *alike)
{
    if (q == NULL || key == NULL)
        return -1;  // point
    if (q->first == NULL)
        return -2;
    struct entry *first = q->first;
    *key = first->key;
    if (alike != NULL) {
        *alike = 0;
        struct entry *at = first->next;
        while (at != NULL) {
            if (at->key != first->key)
                break;
            (*alike)++;
            at = at->next;  // point
        }
    }
    q->first = first->next;
    if (q->size > 0)
        q->size--;
    return 0;  // point
}
