// A tree of numbers, as deep as they make it.
// property: branches
// missed: 0
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *left, *right;
};

static struct node nodes[4];
static int used;

static struct node *insert(struct node *tree, int value)
{
    if (tree == 0) {
        struct node *node = &nodes[used++];
        node->value = value;
        return node;
    }
    if (value < tree->value)
        tree->left = insert(tree->left, value);
    else if (value > tree->value)
        tree->right = insert(tree->right, value);
    return tree;
}

static int height(const struct node *tree)
{
    int left, right;
    if (tree == 0)
        return 0;
    left = height(tree->left);
    right = height(tree->right);
    if (left > right)
        return left + 1;
    return right + 1;
}

int main(void)
{
    struct node *tree = 0;
    for (int i = 0; i < 4; i++)
        tree = insert(tree, __VERIFIER_nondet_int());
    if (height(tree) == 4)
        return 1;
    if (used == 1)
        return 2;
    return 0;
}
