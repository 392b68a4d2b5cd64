// The first place of a key in a sorted array, or -1.
// function: binary_search
// options: --array-len 8 --assume n<=8
// expect: covered 12 infeasible 0 unknown 0
#include <stddef.h>

int binary_search(const int *a, int n, int key);
int binary_search(const int *a, int n, int key)
{
    if (a == NULL || n < 0)
        return -2;
    int low = 0;
    int high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < n && a[low] == key)
        return low;
    return -1;
}
