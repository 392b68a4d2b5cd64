// float and double arithmetic with rounding in each step.
#include <float.h>
#include <stdio.h>

int main(void)
{
    float f = 0;
    double d = 0;
    for (int i = 0; i < 1000; i++) {
        f += 0.1f;
        d += 0.1;
    }
    printf("%.9g %.17g\n", f, d);
    printf("%.17g %.17g %.17g\n", 0.1 + 0.2, 1e308 * 10, 5e-324 / 2);
    volatile float a = 16777216.0f;
    printf("%.1f %.1f\n", a + 1.0f, a + 2.0f);
    volatile double zero = 0.0;
    printf("%f %g %g\n", -zero, zero, zero * -1.0);
    double x = 2.0, r = x;
    for (int i = 0; i < 20; i++)
        r = (r + x / r) / 2;
    printf("%.17g\n", r);
    printf("%g %g %g\n", FLT_MAX, DBL_MIN, FLT_EPSILON);
    volatile float tiny = FLT_MIN;
    tiny /= 4;
    printf("%.9g\n", tiny);
    printf("%.17g\n", (double)(float)0.1);
    double neg = -d;
    printf("%d %d %d\n", neg < d, neg == -d, !(d > 0));
    float sub = 1.0f - 0.9f;
    printf("%.9g %.17g\n", sub, 1.0 - 0.9);
    return 0;
}
