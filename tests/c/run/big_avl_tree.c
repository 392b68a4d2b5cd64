// An AVL tree: insertion, removal, balance checks, in-order walk.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key, height;
    struct node *left, *right;
};

static int height(const struct node *n) { return n ? n->height : 0; }
static int max(int a, int b) { return a > b ? a : b; }
static void update(struct node *n) { n->height = 1 + max(height(n->left), height(n->right)); }

static struct node *rotate_right(struct node *n)
{
    struct node *l = n->left;
    n->left = l->right;
    l->right = n;
    update(n);
    update(l);
    return l;
}

static struct node *rotate_left(struct node *n)
{
    struct node *r = n->right;
    n->right = r->left;
    r->left = n;
    update(n);
    update(r);
    return r;
}

static struct node *balance(struct node *n)
{
    update(n);
    int b = height(n->left) - height(n->right);
    if (b > 1) {
        if (height(n->left->left) < height(n->left->right))
            n->left = rotate_left(n->left);
        return rotate_right(n);
    }
    if (b < -1) {
        if (height(n->right->right) < height(n->right->left))
            n->right = rotate_right(n->right);
        return rotate_left(n);
    }
    return n;
}

static struct node *insert(struct node *n, int key)
{
    if (!n) {
        n = calloc(1, sizeof *n);
        n->key = key;
        n->height = 1;
        return n;
    }
    if (key < n->key)
        n->left = insert(n->left, key);
    else if (key > n->key)
        n->right = insert(n->right, key);
    return balance(n);
}

static struct node *take_min(struct node *n, struct node **out)
{
    if (!n->left) {
        *out = n;
        return n->right;
    }
    n->left = take_min(n->left, out);
    return balance(n);
}

static struct node *delete(struct node *n, int key)
{
    if (!n)
        return NULL;
    if (key < n->key)
        n->left = delete(n->left, key);
    else if (key > n->key)
        n->right = delete(n->right, key);
    else {
        struct node *l = n->left, *r = n->right, *m;
        free(n);
        if (!r)
            return l;
        r = take_min(r, &m);
        m->left = l;
        m->right = r;
        n = m;
    }
    return balance(n);
}

static int check(const struct node *n, int *count)
{
    if (!n)
        return 1;
    ++*count;
    int b = height(n->left) - height(n->right);
    int ordered = (!n->left || n->left->key < n->key) && (!n->right || n->right->key > n->key);
    return b >= -1 && b <= 1 && ordered && check(n->left, count) && check(n->right, count);
}

static void walk(const struct node *n)
{
    if (!n)
        return;
    walk(n->left);
    printf("%d ", n->key);
    walk(n->right);
}

int main(void)
{
    struct node *root = NULL;
    for (int i = 0; i < 500; i++)
        root = insert(root, i * 37 % 211);
    int n = 0, ok = check(root, &n);
    printf("%d %d %d\n", ok, n, height(root));
    for (int i = 0; i < 211; i++)
        if (i % 10)
            root = delete(root, i);
    root = delete(root, 1000);
    n = 0;
    ok = check(root, &n);
    printf("%d %d %d\n", ok, n, height(root));
    walk(root);
    putchar('\n');
    while (root)
        root = delete(root, root->key);
    return ok;
}
