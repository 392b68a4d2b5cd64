// The same in a list.
// function: clears
// reachable: 13:12 true
// reachable: 13:12 false
// reachable: 19:9 true
// reachable: 19:9 false
#include <stdlib.h>
struct list { struct list *next; };
int clears(struct list *l);
int clears(struct list *l)
{
    int n = 0;
    while (l) {
        struct list *next = l->next;
        free(l);
        l = next;
        n++;
    }
    if (n == 2)
        return 1;
    return 0;
}
