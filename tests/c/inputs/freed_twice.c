// What was freed may not be freed again, nor be used, and only its start can be freed; that is the code's own fault.
// function: release
// expect: covered 10 infeasible 0 unknown 0
// expect: defect double-free 19:9
// expect: defect use-after-free 21:16
// expect: defect invalid-free 16:9
// expect: contract 22:12 a and b point to different objects
#include <stdlib.h>

int release(int *a, int *b, int how);
int release(int *a, int *b, int how)
{
    if (!a || !b)
        return 0;
    if (how == 2)
        free(a + 1);
    free(a);
    if (how == 1)
        free(a);
    else if (how == 3)
        return *a;
    return *b;
}
