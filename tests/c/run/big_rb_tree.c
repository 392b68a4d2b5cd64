// Red-black insertion with parent pointers and colours kept in the low bit of the parent.
#include <stdint.h>
#include <stdio.h>

struct node {
    uintptr_t parent_color; // bit 0 set: red
    struct node *child[2];
    int key;
};

static struct node pool[300];
static int used;
static struct node *root;

static struct node *parent(const struct node *n) { return (struct node *)(n->parent_color & ~(uintptr_t)1); }
static int red(const struct node *n) { return n && (n->parent_color & 1); }
static void set_parent(struct node *n, struct node *p) { n->parent_color = (uintptr_t)p | (n->parent_color & 1); }
static void paint(struct node *n, int is_red) { n->parent_color = (n->parent_color & ~(uintptr_t)1) | (unsigned)is_red; }

static void rotate(struct node *n, int dir)
{
    struct node *p = parent(n), *c = n->child[!dir];
    n->child[!dir] = c->child[dir];
    if (c->child[dir])
        set_parent(c->child[dir], n);
    c->child[dir] = n;
    set_parent(n, c);
    set_parent(c, p);
    if (p)
        p->child[p->child[1] == n] = c;
    else
        root = c;
}

static int insert(int key)
{
    struct node *p = NULL;
    int dir = 0;
    for (struct node *n = root; n; n = n->child[dir]) {
        if (n->key == key)
            return 0;
        p = n;
        dir = key > n->key;
    }
    struct node *n = &pool[used++];
    n->key = key;
    n->parent_color = (uintptr_t)p | 1;
    if (!p)
        root = n;
    else
        p->child[dir] = n;
    while ((p = parent(n)) && red(p)) {
        struct node *g = parent(p);
        int side = g->child[1] == p;
        struct node *uncle = g->child[!side];
        if (red(uncle)) {
            paint(p, 0);
            paint(uncle, 0);
            paint(g, 1);
            n = g;
            continue;
        }
        if (p->child[!side] == n) {
            rotate(p, side);
            p = n;
        }
        paint(p, 0);
        paint(g, 1);
        rotate(g, !side);
        break;
    }
    paint(root, 0);
    return 1;
}

static int black_height(const struct node *n)
{
    if (!n)
        return 1;
    int l = black_height(n->child[0]), r = black_height(n->child[1]);
    if (l < 0 || l != r || (red(n) && (red(n->child[0]) || red(n->child[1]))))
        return -1;
    return l + !red(n);
}

static void walk(const struct node *n, long *sum, int *count)
{
    if (!n)
        return;
    walk(n->child[0], sum, count);
    *sum = *sum * 3 % 1000003 + n->key;
    ++*count;
    walk(n->child[1], sum, count);
}

int main(void)
{
    int fresh = 0;
    for (int i = 0; i < 400; i++) {
        fresh += insert(i * 7919 % 251);
        if (i % 57 == 0)
            printf("%d:%d ", i, black_height(root));
    }
    long sum = 0;
    int count = 0;
    walk(root, &sum, &count);
    printf("\n%d %d %ld %d\n", fresh, count, sum, black_height(root));
    for (const struct node *n = root; n; n = n->child[n->key % 2])
        printf("%d%c ", n->key, red(n) ? 'r' : 'b');
    putchar('\n');
    return black_height(root);
}
