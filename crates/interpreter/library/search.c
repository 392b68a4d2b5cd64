/* search.h: a set as a tree. It is an AA tree: a red-black tree whose red links all go right, so that two rotations
 * keep it balanced. The key is the first member of a node, as twalk's callers expect. */
#include <search.h>
#include <stdlib.h>

#include "internal.h"

struct node {
    const void *key;
    struct node *left;
    struct node *right;
    int level;
};

typedef int (*order)(const void *, const void *);

static int level_of(const struct node *node) { return node == NULL ? 0 : node->level; }

/* A red link to the left becomes one to the right. */
static struct node *skew(struct node *node) {
    if (node == NULL || node->left == NULL || node->left->level != node->level) return node;
    struct node *left = node->left;
    node->left = left->right;
    left->right = node;
    return left;
}

/* Two red links in a row become a node above two. */
static struct node *split(struct node *node) {
    if (node == NULL || node->right == NULL || level_of(node->right->right) != node->level) return node;
    struct node *right = node->right;
    node->right = right->left;
    right->left = node;
    right->level++;
    return right;
}

static struct node *insert(struct node *tree, const void *key, order compare, struct node **found) {
    if (tree == NULL) {
        struct node *node = malloc(sizeof *node);
        if (node != NULL) *node = (struct node){.key = key, .level = 1};
        *found = node;
        return node;
    }
    int result = compare(key, tree->key);
    if (result == 0) {
        *found = tree;
        return tree;
    }
    if (result < 0) {
        tree->left = insert(tree->left, key, compare, found);
    } else {
        tree->right = insert(tree->right, key, compare, found);
    }
    return split(skew(tree));
}

static struct node *rebalance(struct node *tree) {
    int wanted = (level_of(tree->left) < level_of(tree->right) ? level_of(tree->left) : level_of(tree->right)) + 1;
    if (wanted < tree->level) {
        tree->level = wanted;
        if (level_of(tree->right) > wanted) tree->right->level = wanted;
    }
    tree = skew(tree);
    tree->right = skew(tree->right);
    if (tree->right != NULL) tree->right->right = skew(tree->right->right);
    tree = split(tree);
    tree->right = split(tree->right);
    return tree;
}

/* Takes the smallest node out of a tree. */
static struct node *take_smallest(struct node *tree, struct node **smallest) {
    if (tree->left == NULL) {
        *smallest = tree;
        return tree->right;
    }
    tree->left = take_smallest(tree->left, smallest);
    return rebalance(tree);
}

static struct node *delete(struct node *tree, const void *key, order compare, bool *found) {
    if (tree == NULL) return NULL;
    int result = compare(key, tree->key);
    if (result < 0) {
        tree->left = delete (tree->left, key, compare, found);
    } else if (result > 0) {
        tree->right = delete (tree->right, key, compare, found);
    } else {
        *found = true;
        struct node *left = tree->left;
        struct node *right = tree->right;
        free(tree);
        if (right == NULL) return left;
        struct node *smallest;
        right = take_smallest(right, &smallest);
        *smallest = (struct node){.key = smallest->key, .left = left, .right = right, .level = smallest->level};
        /* It stands where the deleted node stood, so it takes over that level. */
        smallest->level = level_of(left) + 1;
        tree = smallest;
    }
    return rebalance(tree);
}

void *tsearch(const void *key, void **root, order compare) {
    if (root == NULL) return NULL;
    struct node *found = NULL;
    *root = insert(*root, key, compare, &found);
    return found;
}

void *tfind(const void *key, void *const *root, order compare) {
    struct node *node = root == NULL ? NULL : *root;
    while (node != NULL) {
        int result = compare(key, node->key);
        if (result == 0) break;
        node = result < 0 ? node->left : node->right;
    }
    return node;
}

/* glibc gives the parent, and for the root something that is not NULL; which one it is nobody may rely on. */
void *tdelete(const void *restrict key, void **restrict root, order compare) {
    bool found = false;
    if (root == NULL) return NULL;
    void *some = *root;
    *root = delete (*root, key, compare, &found);
    if (!found) return NULL;
    return *root != NULL ? *root : some;
}

static void walk(const struct node *node, __action_fn_t action, int depth) {
    if (node->left == NULL && node->right == NULL) {
        action(node, leaf, depth);
        return;
    }
    action(node, preorder, depth);
    if (node->left != NULL) walk(node->left, action, depth + 1);
    action(node, postorder, depth);
    if (node->right != NULL) walk(node->right, action, depth + 1);
    action(node, endorder, depth);
}

void twalk(const void *root, __action_fn_t action) {
    if (root != NULL && action != NULL) walk(root, action, 0);
}

void tdestroy(void *root, __free_fn_t release) {
    struct node *node = root;
    if (node == NULL) return;
    tdestroy(node->left, release);
    tdestroy(node->right, release);
    release((void *)node->key);
    free(node);
}
