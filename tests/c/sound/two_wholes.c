// A member of one of two structs, and the code knows of which.
// function: look
// reachable: 31:9 true
// reachable: 31:9 false
// reachable: 32:13 true
// reachable: 32:13 false
// reachable: 36:9 true
// reachable: 36:9 false
#include <stddef.h>

struct item {
    int kind;
};

struct small {
    int before;
    struct item item;
};

struct large {
    int before[4];
    struct item item;
    int behind[40];
};

int look(struct item *item);
int look(struct item *item)
{
    struct small *small = (struct small *)(void *)((char *)item - offsetof(struct small, item));
    struct large *large = (struct large *)(void *)((char *)item - offsetof(struct large, item));
    if (item->kind == 1) {
        if (small->before == 3)
            return 1;
        return 0;
    }
    if (large->before[0] == 9 && large->behind[39] == 8)
        return 2;
    return 3;
}
