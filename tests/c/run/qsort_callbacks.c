// qsort and bsearch with comparison functions over ints, strings and structs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rec {
    char name[8];
    int key;
    double w;
};

static int by_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int by_int_desc(const void *a, const void *b) { return by_int(b, a); }
static int by_str(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }
static int by_key(const void *a, const void *b) { return ((const struct rec *)a)->key - ((const struct rec *)b)->key; }
static int by_char(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

int main(void)
{
    int v[200];
    unsigned x = 12345;
    for (int i = 0; i < 200; i++) {
        x = x * 1103515245u + 12345u;
        v[i] = (int)(x >> 16) % 1000 - 300;
    }
    qsort(v, 200, sizeof *v, by_int);
    int ok = 1;
    for (int i = 1; i < 200; i++)
        ok &= v[i - 1] <= v[i];
    printf("%d %d %d %d\n", ok, v[0], v[100], v[199]);
    int key = v[77];
    int *hit = bsearch(&key, v, 200, sizeof *v, by_int);
    printf("%d\n", hit && *hit == key);
    key = 100000;
    printf("%d\n", bsearch(&key, v, 200, sizeof *v, by_int) == NULL);
    qsort(v, 200, sizeof *v, by_int_desc);
    printf("%d %d\n", v[0], v[199]);
    const char *w[] = {"pear", "apple", "fig", "banana", "apricot", ""};
    qsort(w, 6, sizeof *w, by_str);
    for (int i = 0; i < 6; i++)
        printf("[%s]", w[i]);
    putchar('\n');
    struct rec r[] = {{"c", 30, 0.3}, {"a", 10, 0.1}, {"d", 40, 0.4}, {"b", 20, 0.2}};
    qsort(r, 4, sizeof *r, by_key);
    for (int i = 0; i < 4; i++)
        printf("%s%d:%g ", r[i].name, r[i].key, r[i].w);
    putchar('\n');
    char s[] = "sorted letters";
    qsort(s, strlen(s), 1, by_char);
    puts(s);
    qsort(v, 0, sizeof *v, by_int);
    qsort(v, 1, sizeof *v, by_int);
    return 0;
}
