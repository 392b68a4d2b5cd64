// math.h: the rarer functions.
#include <math.h>
#include <stdio.h>

int main(void)
{
    printf("%.10g %.10g\n", tgamma(5), erf(0.5));
    printf("%.17g\n", nextafter(1, 2) - 1);
    printf("%g\n", remainder(7, 4));
    printf("%.10g %.10g\n", lgamma(10), erfc(1.5));
    printf("%.10g %.10g %.10g\n", asinh(1), acosh(2), atanh(0.5));
    printf("%g %g\n", nan("") == 0 ? 1.0 : 0.0, nexttoward(0, 1) > 0 ? 1.0 : 0.0);
    return 0;
}
