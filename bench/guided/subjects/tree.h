/* A binary search tree. */
#include <stddef.h>

struct tree {
    int key;
    struct tree *left, *right;
};

static inline int compare(int a, int b)
{
    if (a < b)
        return -1;
    if (a > b)
        return 1;
    return 0;
}
