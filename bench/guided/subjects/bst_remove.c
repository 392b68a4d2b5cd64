// Takes a key out of a binary search tree. A node with two children gets the key of the next one, which goes instead.
// function: bst_remove
// options: --no-aliases
#include "tree.h"

/* Where the node with the smallest key is hung up. */
static struct tree **smallest(struct tree **at)
{
    while ((*at)->left != NULL)
        at = &(*at)->left;
    return at;
}

int bst_remove(struct tree **root, int key)
{
    struct tree **at = root;
    if (root == NULL)
        return -1;  // point
    while (*at != NULL) {
        int order = compare(key, (*at)->key);
        if (order == 0)
            break;
        at = order < 0 ? &(*at)->left : &(*at)->right;  // point
    }
    if (*at == NULL)
        return 0;
    if ((*at)->left != NULL && (*at)->right != NULL) {
        struct tree **next = smallest(&(*at)->right);
        (*at)->key = (*next)->key;
        at = next;
    }
    if ((*at)->left != NULL)
        *at = (*at)->left;
    else
        *at = (*at)->right;
    return 1;  // point
}
