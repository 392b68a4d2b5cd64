// Takes a key out of a binary search tree. A node with two children gets the key of the next one, which goes instead.
// function: bst_remove
// options: --no-aliases
#include <stddef.h>

struct tree {
    int key;
    struct tree *left, *right;
};

static int compare(int a, int b)
{
    if (a < b)
        return -1;
    if (a > b)
        return 1;
    return 0;
}

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
        return -1;
    while (*at != NULL) {
        int order = compare(key, (*at)->key);
        if (order == 0)
            break;
        at = order < 0 ? &(*at)->left : &(*at)->right;
    }
    if (*at == NULL)
        return 0;  // point
    if ((*at)->left != NULL && (*at)->right != NULL) {
        struct tree **next = smallest(&(*at)->right);
        (*at)->key = (*next)->key;
        at = next;  // point
    }
    if ((*at)->left != NULL)
        *at = (*at)->left;  // point
    else
        *at = (*at)->right;
    return 1;
}
