// The sum of a list up to a limit of nodes; a list that goes on is too long or a ring.
// function: sum
// expect: covered 10 infeasible 0 unknown 0
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

int sum(const struct node *head);
int sum(const struct node *head)
{
    unsigned total = 0;
    int nodes = 0;
    for (const struct node *n = head; n != NULL; n = n->next) {
        if (n->next == n)
            return -2;
        if (nodes == 3)
            return -1;
        nodes++;
        if (n->value >= 0)
            total += (unsigned)n->value;
    }
    if (nodes == 0)
        return 0;
    return (int)(total & 0xffff);
}
