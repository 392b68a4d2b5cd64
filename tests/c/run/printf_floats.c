// The function printf: e, f, g and a conversions with flags, precisions and special values.
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    double v[] = {0, 1, -1.5, 3.14159265358979, 1e10, 1.5e-7, 123456789.125, 1e100, 0.1, 999999.25, 2.5, 3.5, 1e-5, 1e-4};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        printf("[%f] [%e] [%g]\n", v[i], v[i], v[i]);
        printf("[%.0f] [%.1e] [%.3g] [%.15g] [%#g] [%#.0f]\n", v[i], v[i], v[i], v[i], v[i], v[i]);
        printf("[%12.3f] [%-12.3e] [%+g] [% g] [%012.2f] [%.20f]\n", v[i], v[i], v[i], v[i], v[i], v[i]);
    }
    printf("[%f] [%e] [%g] [%F] [%5.1f] [%-8f] [%+f] [%08f]\n", INFINITY, -INFINITY, INFINITY, INFINITY, -INFINITY, INFINITY,
           INFINITY, INFINITY);
    printf("[%f] [%G] [%8.2f]\n", NAN, NAN, NAN);
    printf("[%g] [%f] [%g]\n", -0.0, -0.0, DBL_MIN);
    printf("[%.0f] [%.0f] [%.0f] [%.0f] [%.1f] [%.2f]\n", 0.5, 1.5, 2.5, -0.5, 0.25, 1.005);
    printf("%.17g %.17g\n", DBL_MAX, 5e-324);
    printf("%f\n", DBL_MAX);
    printf("[%E] [%G] [%G]\n", 12345.678, 1e-10, 1e20);
    printf("[%Lf] [%.3Le] [%Lg] [%.25Lf]\n", 2.5L, 1e4000L, 1e-4000L, 0.1L);
    printf("[%*.*f]\n", 10, 2, 1.0 / 3);
    printf("%.50g\n", 0.1);
    return 0;
}
