// The first place of a key in an array.
// function: find
// options: --array-len 4
// expect: covered 8 infeasible 0 unknown 0
#include <stddef.h>

int find(const int *a, size_t n, int key);
int find(const int *a, size_t n, int key)
{
    if (a == NULL || n > 4)
        return -2;
    for (size_t i = 0; i < n; i++) {
        if (a[i] == key)
            return (int)i;
    }
    return -1;
}
