// How many nodes of a binary search tree have a key: equal ones are to the right.
// function: bst_find_all
// options: --no-aliases
#include "tree.h"

/* The first node with the key below this one. */
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

int bst_find_all(const struct tree *root, int key, unsigned *count)
{
    if (count == NULL)
        return -1;  // point
    *count = 0;
    const struct tree *at = search(root, key);
    while (at != NULL) {
        (*count)++;
        at = search(at->right, key);  // point
    }
    if (*count == 0)
        return 0;
    return 1;  // point
}
