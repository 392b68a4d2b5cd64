// Short circuit evaluation: what runs, in which order, with which value.
#include <stdio.h>

static int t(int id) { printf("%d", id); return 1; }
static int f(int id) { printf("%d", id); return 0; }

static int nested(int a, int b, int c, int d)
{
    return (a && (b || c)) || (!d && (a ? b : c));
}

int main(void)
{
    printf("=%d\n", t(1) && f(2) && t(3));
    printf("=%d\n", f(1) || t(2) || t(3));
    printf("=%d\n", (f(1) && t(2)) || (t(3) && t(4)));
    printf("=%d\n", !(t(1) && !f(2)));
    printf("=%d\n", t(1) ? f(2) || f(3) : t(4));
    int x = 0;
    int r = x++ || x++ || x++;
    printf("%d %d\n", x, r);
    r = (x = 0) && (x = 5);
    printf("%d %d\n", x, r);
    for (int i = 0; i < 16; i++)
        printf("%d", nested(i & 1, i >> 1 & 1, i >> 2 & 1, i >> 3 & 1));
    putchar('\n');
    const char *p = 0;
    printf("%d %d\n", p && *p, !p || *p);
    double d = 0.0;
    printf("%d %d\n", d || (d + 0.5), d && 1);
    int v = 7;
    printf("%d %d %d\n", (3 < v) == 1, (v & 4) && 1, v & (4 && 1));
    while (x < 3 && (x++, 1) && x != 2)
        ;
    printf("%d\n", x);
    return nested(1, 0, 1, 1) && !nested(0, 0, 1, 1);
}
