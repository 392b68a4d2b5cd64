// A new key in a binary search tree; a key that is there already is counted.
// function: bst_insert
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
        return -1;
    fresh->left = NULL;
    fresh->right = NULL;
    if (*root == NULL) {
        *root = fresh;
        return 1;  // point
    }
    struct tree *at = search(*root, fresh->key);
    int order = compare(fresh->key, at->key);
    if (order == 0)
        return 0;  // point
    if (order < 0)
        at->left = fresh;
    else
        at->right = fresh;  // point
    return 1;
}
