// A new key in a binary search tree; a key that is there already is counted.
// function: bst_insert
// options: --no-aliases
#include "tree.h"

/* The node with the key, or the one below which it belongs. */
static struct tree *search(struct tree *at, int key)
{
    for (;;) {
        int order = compare(key, at->key);
        if (order == 0)
            return at;
        struct tree *next = order < 0 ? at->left : at->right;
        if (next == NULL)
            return at;
        at = next;
    }
}

int bst_insert(struct tree **root, struct tree *fresh)
{
    if (root == NULL || fresh == NULL)
        return -1;  // point
    fresh->left = NULL;
    fresh->right = NULL;
    if (*root == NULL) {
        *root = fresh;
        return 1;
    }
    struct tree *at = search(*root, fresh->key);
    int order = compare(fresh->key, at->key);
    if (order == 0)
        return 0;
    if (order < 0)
        at->left = fresh;
    else
        at->right = fresh;  // point
    return 1;  // point
}
