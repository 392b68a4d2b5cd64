// Deeply nested static initialisers with pointers between the objects.
#include <stdio.h>

struct node {
    int v;
    const struct node *kids[3];
};

struct op {
    const char *name;
    int (*fn)(int, int);
    struct {
        int prec, right;
    } info;
};

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int rem(int a, int b) { return a % b; }

static const struct node leaf1 = {1, {0}}, leaf2 = {2, {0}}, leaf3 = {3, {0}};
static const struct node mid = {10, {&leaf1, &leaf2}};
static const struct node root = {100, {&mid, &leaf3}};
static const struct op ops[] = {{"+", add, {1, 0}}, {"-", sub, {1, 0}}, {"%", rem, {.prec = 2}}};
static int data[5] = {1, 2, 3, 4, 5};
static int *const middle = &data[2];
static int *ends[] = {data, data + 4, &data[5]};
static const char *tail = &"abcdef"[3];
static const struct op *const last = &ops[2];

static int sum(const struct node *n)
{
    int s = n->v;
    for (int i = 0; i < 3 && n->kids[i]; i++)
        s += sum(n->kids[i]);
    return s;
}

int main(void)
{
    printf("%d\n", sum(&root));
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
        printf("%s %d %d\n", ops[i].name, ops[i].fn(17, 5), ops[i].info.prec);
    printf("%d %d %td %s %s\n", middle[-1], *ends[1], ends[2] - ends[0], tail, last->name);
    *middle = 33;
    printf("%d\n", data[2]);
    return 0;
}
