// Whether a binary search tree has a key; keys are checked by a function of their own.
// function: bst_find
// options: --no-aliases
#include "tree.h"

/* The place of a key: where it is, or where it would be. */
static const struct tree *search(const struct tree *at, int key)
{
    while (at != NULL) {
        int order = compare(key, at->key);
        if (order == 0)
            return at;
        at = order < 0 ? at->left : at->right;
    }
    return NULL;
}

int bst_find(const struct tree *root, int key, int *found)
{
    if (key < 0)
        return -1;  // point
    const struct tree *at = search(root, key);
    if (at == NULL)
        return 0;
    if (found != NULL)
        *found = at->key;  // point
    return 1;  // point
}
