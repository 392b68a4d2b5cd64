// The first place of a key in an array.
// function: linear_search
// options: --array-len 8 --assume n<=8
// expect: covered 8 infeasible 0 unknown 0
#include <stddef.h>

int linear_search(const int *a, int n, int key);
int linear_search(const int *a, int n, int key)
{
    if (a == NULL || n < 0)
        return -2;
    for (int i = 0; i < n; i++) {
        if (a[i] == key)
            return i;
    }
    return -1;
}
