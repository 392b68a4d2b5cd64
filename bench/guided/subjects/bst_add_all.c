// Adds the keys of a list to a binary search tree, as long as there are nodes to use; how many were new.
// function: bst_add_all
// options: --no-aliases
#include "tree.h"

struct list {
    int key;
    struct tree *node;
    struct list *next;
};

static int insert(struct tree **at, struct tree *fresh)
{
    while (*at != NULL) {
        int order = compare(fresh->key, (*at)->key);
        if (order == 0)
            return 0;
        at = order < 0 ? &(*at)->left : &(*at)->right;
    }
    fresh->left = NULL;
    fresh->right = NULL;
    *at = fresh;
    return 1;
}

int bst_add_all(struct tree **root, const struct list *keys)
{
    int added = 0;
    if (root == NULL)
        return -1;  // point
    while (keys != NULL) {
        if (keys->node == NULL)
            return -2;
        keys->node->key = keys->key;
        if (insert(root, keys->node))
            added++;
        else if (added == 0)
            return -3;
        keys = keys->next;  // point
    }
    if (added > 1)
        return 2;
    return added;  // point
}
