// A list of structures, made of inputs and taken apart.
// property: branches
// goals: 1 2 3 4 5
#ifdef GOALS
void goal(int number);
#else
#define goal(number)
#endif
extern void abort(void);

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

struct item {
    int weight;
    struct item *next;
};

static struct item *push(struct item *head, int weight)
{
    struct item *item = malloc(sizeof *item);
    if (item == NULL) {
        goal(6);
        abort();
    }
    item->weight = weight;
    item->next = head;
    return item;
}

int main(void)
{
    struct item *head = NULL;
    int total = 0, count = 0;
    while (count < 5 && __VERIFIER_nondet_bool()) {
        int weight = __VERIFIER_nondet_int();
        __VERIFIER_assume(weight > 0 && weight <= 100);
        head = push(head, weight);
        count++;
    }
    for (struct item *item = head; item != NULL; item = item->next) {
        total += item->weight;
        if (item->next != NULL && item->next->weight > item->weight) {
            goal(1);
        }
    }
    if (head == NULL) {
        goal(2);
    }
    if (total == 77 && count == 3) {
        goal(3);
    }
    if (total > 400) {
        goal(4);
    }
    if (total > 500) {
        goal(7);
    }
    goal(5);
    return 0;
}
