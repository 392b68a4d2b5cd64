// A list on the heap.
// function: builds
// reachable: 19:21 true
// reachable: 19:21 false
// reachable: 19:30 true
// reachable: 19:30 false
// reachable: 21:13 true
// reachable: 21:13 false
// reachable: 28:12 true
// reachable: 28:12 false
// reachable: 34:9 true
// reachable: 34:9 false
#include <stdlib.h>
struct cell { struct cell *next; int v; };
int builds(int n);
int builds(int n)
{
    struct cell *head = NULL;
    for (int i = 0; i < n && i < 3; i++) {
        struct cell *c = malloc(sizeof *c);
        if (!c)
            break;
        c->v = i;
        c->next = head;
        head = c;
    }
    int count = 0;
    while (head) {
        struct cell *next = head->next;
        count += head->v;
        free(head);
        head = next;
    }
    if (count == 3)
        return 1;
    return 0;
}
