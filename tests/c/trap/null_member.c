// expect: trap null-pointer 15
// native: address
// A member at an offset from a null pointer.
#include <stddef.h>

struct node {
    long pad[10];
    struct node *next;
    int v;
};

int main(void)
{
    struct node n = {.next = NULL};
    return n.next->v;
}
