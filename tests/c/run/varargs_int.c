// Variadic functions with many integers of all widths, past the six registers.
#include <stdarg.h>
#include <stdio.h>

static long sum(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    long s = 0;
    for (int i = 0; i < n; i++)
        s = s * 2 + va_arg(ap, int);
    va_end(ap);
    return s;
}

static void typed(const char *types, ...)
{
    va_list ap;
    va_start(ap, types);
    for (; *types; types++)
        switch (*types) {
        case 'c': printf("%c ", (char)va_arg(ap, int)); break;
        case 'h': printf("%d ", (short)va_arg(ap, int)); break;
        case 'i': printf("%d ", va_arg(ap, int)); break;
        case 'u': printf("%u ", va_arg(ap, unsigned)); break;
        case 'l': printf("%ld ", va_arg(ap, long)); break;
        case 'p': printf("%s ", va_arg(ap, const char *)); break;
        case 'f': printf("%d ", va_arg(ap, int (*)(int))(20)); break;
        }
    va_end(ap);
    putchar('\n');
}

static int twice(int n) { return n * 2; }

static int after_many(int a, int b, int c, int d, int e, int f, int g, ...)
{
    va_list ap;
    va_start(ap, g);
    int r = va_arg(ap, int);
    r -= va_arg(ap, int) / 2;
    va_end(ap);
    return r + a + b + c + d + e + f + g;
}

int main(void)
{
    printf("%ld %ld %ld\n", sum(0), sum(3, 1, 2, 3), sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    typed("chiulpf", 'x', (short)-5, -6, 4000000000u, -7000000000L, "text", twice);
    typed("llllllllll", 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 1L << 40);
    printf("%d\n", after_many(1, 2, 3, 4, 5, 6, 7, 100, 200));
    printf("%d%d%d%d%d%d%d%d%d%d%d%d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    return (int)sum(2, 5, 5);
}
