// Eight sorting algorithms agree on the same data.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 150 };

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

static void bubble(int *v, int n)
{
    for (int done = 0; !done; n--) {
        done = 1;
        for (int i = 1; i < n; i++)
            if (v[i - 1] > v[i]) {
                swap(&v[i - 1], &v[i]);
                done = 0;
            }
    }
}

static void insertion(int *v, int n)
{
    for (int i = 1; i < n; i++) {
        int x = v[i], j = i;
        for (; j > 0 && v[j - 1] > x; j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
}

static void selection(int *v, int n)
{
    for (int i = 0; i < n; i++) {
        int m = i;
        for (int j = i + 1; j < n; j++)
            if (v[j] < v[m])
                m = j;
        swap(&v[i], &v[m]);
    }
}

static void shell(int *v, int n)
{
    for (int gap = n / 2; gap > 0; gap /= 2)
        for (int i = gap; i < n; i++)
            for (int j = i; j >= gap && v[j - gap] > v[j]; j -= gap)
                swap(&v[j], &v[j - gap]);
}

static void quick(int *v, int n)
{
    if (n < 2)
        return;
    int p = v[n / 2], i = 0, j = n - 1;
    for (;; i++, j--) {
        while (v[i] < p)
            i++;
        while (v[j] > p)
            j--;
        if (i >= j)
            break;
        swap(&v[i], &v[j]);
    }
    quick(v, i);
    quick(v + i, n - i);
}

static void merge(int *v, int n)
{
    if (n < 2)
        return;
    int h = n / 2, i = 0, j = h, k = 0;
    merge(v, h);
    merge(v + h, n - h);
    int t[n];
    while (k < n)
        t[k++] = j >= n || (i < h && v[i] <= v[j]) ? v[i++] : v[j++];
    memcpy(v, t, sizeof t);
}

static void heap(int *v, int n)
{
    for (int start = n / 2 - 1, end = n; end > 1;) {
        int root = start;
        if (start > 0 || end == n) {
            if (start < 0) {
                swap(&v[0], &v[--end]);
                root = 0;
            } else {
                start--;
            }
        } else {
            swap(&v[0], &v[--end]);
            root = 0;
        }
        for (int c; (c = 2 * root + 1) < end; root = c) {
            if (c + 1 < end && v[c + 1] > v[c])
                c++;
            if (v[root] >= v[c])
                break;
            swap(&v[root], &v[c]);
        }
    }
}

static void radix(int *v, int n)
{
    int *t = malloc((size_t)n * sizeof *t);
    for (int shift = 0; shift < 32; shift += 8) {
        int count[257] = {0};
        for (int i = 0; i < n; i++)
            count[(((unsigned)v[i] ^ 0x80000000u) >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++)
            count[i + 1] += count[i];
        for (int i = 0; i < n; i++)
            t[count[((unsigned)v[i] ^ 0x80000000u) >> shift & 255]++] = v[i];
        memcpy(v, t, (size_t)n * sizeof *t);
    }
    free(t);
}

int main(void)
{
    static const struct { const char *name; void (*sort)(int *, int); } all[] = {
        {"bubble", bubble}, {"insertion", insertion}, {"selection", selection}, {"shell", shell},
        {"quick", quick},   {"merge", merge},         {"heap", heap},           {"radix", radix}};
    for (unsigned s = 0; s < sizeof all / sizeof *all; s++) {
        int v[N];
        unsigned x = 99;
        for (int i = 0; i < N; i++) {
            x = x * 1664525u + 1013904223u;
            v[i] = (int)(x >> 8) % 1000 - 500;
        }
        all[s].sort(v, N);
        int ok = 1;
        unsigned h = 0;
        for (int i = 0; i < N; i++) {
            ok &= i == 0 || v[i - 1] <= v[i];
            h = h * 31 + (unsigned)v[i];
        }
        printf("%s %d %u\n", all[s].name, ok, h);
    }
    return 0;
}
