// A place of a key in a sorted array. That the array is sorted is checked first, so one comparison never holds.
// function: find
// options: --array-len 4 --pointers valid
// expect: covered 17 infeasible 1 unknown 0
// expect: infeasible 26:13 true
#include <stdbool.h>

static bool sorted(const short *a, unsigned n)
{
    for (unsigned i = 1; i < n; i++) {
        if (a[i - 1] > a[i])
            return false;
    }
    return true;
}

int find(const short *a, unsigned n, short key);
int find(const short *a, unsigned n, short key)
{
    if (n == 0 || n > 4 || !sorted(a, n))
        return -2;
    unsigned low = 0;
    unsigned high = n;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (middle >= n)
            return -3;
        if (a[middle] == key)
            return (int)middle;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}
