// A comparison that is no order.
// function: sorts
// reachable: 19:9 true
// reachable: 19:9 false
// reachable: 23:9 true
// reachable: 23:9 false
// reachable: 25:9 true
// reachable: 25:9 false
#include <stdlib.h>
static int calls;
static int compare(const void *a, const void *b)
{
    calls++;
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}
int sorts(int *a);
int sorts(int *a)
{
    if (!a)
        return -1;
    calls = 0;
    qsort(a, 4, sizeof *a, compare);
    if (a[0] == a[3])
        return 1;
    if (calls > 3)
        return 2;
    return 0;
}
