// _Complex division and cabs, long double complex.
#include <complex.h>
#include <stdio.h>

int main(void)
{
    double complex a = 5 + 5 * I, b = 2 - 1 * I;
    double complex q = a / b;
    printf("%.10g %.10g\n", creal(q), cimag(q));
    printf("%.10g\n", cabs(3 + 4 * I));
    float complex f = (1.0f + 2.0f * I) / (0.5f * I);
    printf("%.6g %.6g\n", crealf(f), cimagf(f));
    long double complex l = 1.5L + 2.0L * I;
    l = l * l / (2.0L - 2.0L * I);
    printf("%.10Lg %.10Lg\n", creall(l), cimagl(l));
    return 0;
}
