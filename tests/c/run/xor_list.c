// A doubly linked list whose nodes hold the exclusive or of their neighbours' addresses.
#include <stdint.h>
#include <stdio.h>

struct node {
    int v;
    uintptr_t link;
};

static void walk(struct node *at)
{
    struct node *prev = 0;
    while (at) {
        printf("%d ", at->v);
        struct node *next = (struct node *)(at->link ^ (uintptr_t)prev);
        prev = at;
        at = next;
    }
    putchar('\n');
}

int main(void)
{
    static struct node n[6];
    for (int i = 0; i < 6; i++) {
        uintptr_t before = i > 0 ? (uintptr_t)&n[i - 1] : 0;
        uintptr_t after = i < 5 ? (uintptr_t)&n[i + 1] : 0;
        n[i].v = i * i;
        n[i].link = before ^ after;
    }
    walk(&n[0]);
    walk(&n[5]);
    return 0;
}
