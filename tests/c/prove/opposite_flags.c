// Two switches that are turned together are never in the same position.
// function: toggle
// expect: covered 3 infeasible 1 unknown 0
// expect: infeasible 16:13 true
#include <stdbool.h>
int next(void);

int toggle(void);
int toggle(void)
{
    bool left = false;
    bool right = true;
    while (next() != 0) {
        left = !left;
        right = !right;
        if (left == right)
            return -1;
    }
    return left;
}
