// Pointer arithmetic, differences, increments, and walking backwards.
#include <stddef.h>
#include <stdio.h>

struct item {
    char c;
    int n;
    short s;
};

int main(void)
{
    int a[10];
    for (int *p = a; p != a + 10; p++)
        *p = (int)(p - a) * 3;
    int *q = &a[9];
    int sum = 0;
    while (q >= a + 1)
        sum = sum * 2 + *q--;
    printf("%d %td\n", sum, q - a);
    struct item it[4] = {{'a', 1, 2}, {'b', 3, 4}, {'c', 5, 6}, {'d', 7, 8}};
    struct item *e = it + 4;
    printf("%td %td\n", e - it, (char *)e - (char *)it);
    printf("%c %d %d\n", (e - 1)->c, e[-2].n, (*(it + 1)).s);
    const char *s = "pointer";
    const char *end = s;
    while (*end)
        ++end;
    for (const char *p = end; p-- > s;)
        putchar(*p);
    putchar('\n');
    ptrdiff_t d = &a[2] - &a[7];
    printf("%td %d\n", d, 3[a]);
    int *r = a;
    printf("%d", *r++);
    printf(" %d", *++r);
    printf(" %d", (*r)++);
    printf(" %d\n", --*r);
    r += 3;
    r -= 1;
    printf("%td\n", r - a);
    return (int)(e - it);
}
