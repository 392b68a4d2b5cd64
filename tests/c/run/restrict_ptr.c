// restrict-qualified parameters and volatile accesses.
#include <stdio.h>
#include <string.h>

static void axpy(int n, double a, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
}

static size_t copy(char *restrict to, const char *restrict from)
{
    char *start = to;
    while ((*to++ = *from++))
        ;
    return (size_t)(to - start - 1);
}

int main(void)
{
    double x[5] = {1, 2, 3, 4, 5}, y[5] = {10, 20, 30, 40, 50};
    axpy(5, 0.5, x, y);
    for (int i = 0; i < 5; i++)
        printf("%g ", y[i]);
    putchar('\n');
    char out[20];
    printf("%zu %s\n", copy(out, "restricted"), out);
    volatile int v = 1;
    v = v + v;
    v <<= v;
    const volatile int cv = 9;
    printf("%d %d\n", v, cv);
    return 0;
}
