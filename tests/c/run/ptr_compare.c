// Pointer comparison, null tests, pointers in conditions.
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

static const char *state(const void *p)
{
    return p ? "set" : "null";
}

int main(void)
{
    int a[5];
    int *lo = a, *hi = a + 5;
    printf("%d %d %d %d\n", lo < hi, lo >= hi, lo == a, lo != &a[1]);
    int *n = NULL;
    printf("%s %s %d %d\n", state(n), state(lo), !n, n == 0);
    struct node *list = NULL;
    for (int i = 0; i < 5; i++) {
        struct node *m = malloc(sizeof *m);
        *m = (struct node){list, i};
        list = m;
    }
    struct node **at = &list;
    while (*at) {
        if ((*at)->v % 2) {
            struct node *dead = *at;
            *at = dead->next;
            free(dead);
        } else {
            at = &(*at)->next;
        }
    }
    for (struct node *p = list; p; p = p->next)
        printf("%d ", p->v);
    putchar('\n');
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    int (*f)(const char *) = puts;
    printf("%d %d\n", f == puts, f != 0);
    return list == NULL;
}
