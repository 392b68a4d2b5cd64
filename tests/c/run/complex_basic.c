// _Complex double and float: addition, multiplication, conjugate, parts, comparison, calls.
#include <complex.h>
#include <stdio.h>

static double complex step(double complex z, double complex c) { return z * z + c; }
static float complex twist(float complex z) { return z * I; }

int main(void)
{
    double complex a = 1 + 2 * I, b = 3 - 0.5 * I;
    double complex s = a + b, d = a - b, p = a * b;
    printf("%g%+gi %g%+gi %g%+gi\n", creal(s), cimag(s), creal(d), cimag(d), creal(p), cimag(p));
    printf("%g %g\n", creal(conj(a)), cimag(conj(a)));
    printf("%d %d\n", a == b, a != b);
    double complex z = 0;
    for (int i = 0; i < 6; i++)
        z = step(z, -0.4 + 0.6 * I);
    printf("%.12f %.12f\n", __real__ z, __imag__ z);
    float complex f = twist(2 + 1 * I);
    printf("%g %g\n", crealf(f), cimagf(f));
    __real__ a = 10;
    a += 5;
    a = -a;
    printf("%g %g\n", creal(a), cimag(a));
    double complex arr[3] = {1, I, 1 + I};
    double complex total = 0;
    for (int i = 0; i < 3; i++)
        total += arr[i] * arr[i];
    printf("%g %g %zu\n", creal(total), cimag(total), sizeof total);
    return 0;
}
