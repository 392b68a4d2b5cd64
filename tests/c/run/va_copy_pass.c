// va_copy, va_list passed to other functions and consumed there, by pointer too.
#include <stdarg.h>
#include <stdio.h>

static int take(va_list *ap) { return va_arg(*ap, int); }

static int total(int n, va_list ap)
{
    int s = 0;
    while (n-- > 0)
        s += va_arg(ap, int);
    return s;
}

static void twice(int n, ...)
{
    va_list a, b;
    va_start(a, n);
    int first = va_arg(a, int);
    va_copy(b, a);
    int rest = total(n - 1, a);
    int again = va_arg(b, int);
    va_end(a);
    va_end(b);
    printf("%d %d %d\n", first, rest, again);
}

static void pairs(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    for (int i = 0; i < n; i++) {
        int k = take(&ap);
        double d = va_arg(ap, double);
        printf("%d:%g ", k, d);
    }
    va_end(ap);
    putchar('\n');
}

static int restart(int n, ...)
{
    int s = 0;
    for (int round = 0; round < 3; round++) {
        va_list ap;
        va_start(ap, n);
        s = s * 10 + total(n, ap);
        va_end(ap);
    }
    return s;
}

int main(void)
{
    twice(4, 1, 20, 300, 4000);
    twice(9, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    pairs(3, 1, 0.5, 2, 0.25, 3, 0.125);
    pairs(8, 1, .1, 2, .2, 3, .3, 4, .4, 5, .5, 6, .6, 7, .7, 8, .8);
    return restart(3, 1, 2, 3) % 256;
}
