// Variadic functions with many doubles, mixed with integers, and long doubles.
#include <stdarg.h>
#include <stdio.h>

static double dsum(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    double s = 0;
    while (n-- > 0)
        s = s / 2 + va_arg(ap, double);
    va_end(ap);
    return s;
}

static double mixed(const char *f, ...)
{
    va_list ap;
    va_start(ap, f);
    double s = 0;
    for (; *f; f++)
        s = s * 3 + (*f == 'i' ? va_arg(ap, int) : *f == 'd' ? va_arg(ap, double) : (double)va_arg(ap, long double));
    va_end(ap);
    return s;
}

int main(void)
{
    float f = 1.5f;
    printf("%g\n", dsum(3, 1.0, 2.0, (double)f));
    printf("%.6f\n", dsum(12, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12.));
    printf("%.3f\n", mixed("idididididididididid", 1, .1, 2, .2, 3, .3, 4, .4, 5, .5, 6, .6, 7, .7, 8, .8, 9, .9, 10, 1.));
    printf("%.3f\n", mixed("LiLdL", 1.5L, 2, 2.5L, 3.5, 4.5L));
    printf("%g %g %g %g %g %g %g %g %g %g %Lg %d\n", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11.5L, 12);
    return 0;
}
