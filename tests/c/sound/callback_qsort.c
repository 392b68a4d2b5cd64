// The library calls back: the order of equal keys, and the branch inside the comparison.
// function: sort_three
// reachable: 10:9 true
// reachable: 10:9 false
// reachable: 23:9 true
// reachable: 23:9 false
#include <stdlib.h>
static int equal;
static int compare(const void *a, const void *b) {
    if (*(const int *)a == *(const int *)b) {
        equal++;
        return 0;
    }
    return *(const int *)a < *(const int *)b ? -1 : 1;
}

int sort_three(int a, int b, int c);
int sort_three(int a, int b, int c)
{
    int all[3] = {a, b, c};
    equal = 0;
    qsort(all, 3, sizeof all[0], compare);
    if (equal > 0)
        return 1;
    return all[0];
}
