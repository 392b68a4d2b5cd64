// Look up a key in a binary search tree, to a depth of three; a node out of order is an error.
// function: lookup
// expect: covered 16 infeasible 0 unknown 0
#include <stddef.h>

struct tree {
    int key;
    struct tree *left;
    struct tree *right;
};

int lookup(const struct tree *t, int key);
int lookup(const struct tree *t, int key)
{
    for (int depth = 0; depth < 3; depth++) {
        if (t == NULL)
            return 0;
        if (t->key == key)
            return 1;
        if (key < t->key) {
            if (t->left != NULL && t->left->key >= t->key)
                return -1;
            t = t->left;
        } else {
            if (t->right != NULL && t->right->key <= t->key)
                return -1;
            t = t->right;
        }
    }
    return -2;
}
