// Heap sort and merge sort of the same numbers: loads, stores, comparisons and calls.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 200000 };

static int32_t left[COUNT], right[COUNT], spare[COUNT];

static void sift(int32_t *v, int root, int end)
{
    for (int child; (child = 2 * root + 1) < end; root = child) {
        if (child + 1 < end && v[child + 1] > v[child])
            child++;
        if (v[root] >= v[child])
            return;
        int32_t t = v[root];
        v[root] = v[child];
        v[child] = t;
    }
}

static void heap_sort(int32_t *v, int n)
{
    for (int i = n / 2 - 1; i >= 0; i--)
        sift(v, i, n);
    for (int end = n - 1; end > 0; end--) {
        int32_t t = v[0];
        v[0] = v[end];
        v[end] = t;
        sift(v, 0, end);
    }
}

static void merge_sort(int32_t *v, int n)
{
    if (n < 2)
        return;
    int half = n / 2, i = 0, j = half, k = 0;
    merge_sort(v, half);
    merge_sort(v + half, n - half);
    while (i < half && j < n)
        spare[k++] = v[i] <= v[j] ? v[i++] : v[j++];
    while (i < half)
        spare[k++] = v[i++];
    memcpy(v, spare, (size_t)k * sizeof *v);
}

int main(void)
{
    uint32_t x = 1;
    for (int i = 0; i < COUNT; i++) {
        x = x * 1103515245u + 12345u;
        left[i] = right[i] = (int32_t)(x >> 8);
    }
    heap_sort(left, COUNT);
    merge_sort(right, COUNT);
    uint32_t hash = 0;
    for (int i = 0; i < COUNT; i++)
        hash = hash * 31 + (uint32_t)left[i];
    printf("%08x %s\n", hash, memcmp(left, right, sizeof left) == 0 ? "same" : "different");
    return 0;
}
