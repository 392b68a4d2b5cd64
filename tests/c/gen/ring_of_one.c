// A ring from the heap: its last node is its own successor, and is freed.
// function: drop
// expect: covered 8 infeasible 0 unknown 0
#include <stddef.h>
#include <stdlib.h>

struct link {
    struct link *next;
    int key;
};

int drop(struct link **ring, int key)
{
    struct link *first;

    if (ring == NULL || *ring == NULL) {
        return 0;
    }
    first = *ring;
    if (first->next != first) {
        return -1;
    }
    if (first->key == key) {
        free(first);
        *ring = NULL;
        return 1;
    }
    return 2;
}
