// Classification macros and functions on special values.
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    volatile double v[] = {0.0, -0.0, 1.0, DBL_MIN / 2, INFINITY, -INFINITY, NAN, DBL_MAX};
    for (int i = 0; i < 8; i++) {
        int c = fpclassify(v[i]);
        const char *n = c == FP_NAN         ? "nan"
                        : c == FP_INFINITE  ? "inf"
                        : c == FP_ZERO      ? "zero"
                        : c == FP_SUBNORMAL ? "subnormal"
                                            : "normal";
        printf("%s %d%d%d%d%d\n", n, !!isnan(v[i]), !!isinf(v[i]), !!isfinite(v[i]), !!isnormal(v[i]), !!signbit(v[i]));
    }
    volatile float f = NAN;
    volatile long double l = INFINITY;
    printf("%d %d\n", !!isnan(f), !!isinf(l));
    volatile double zero = 0;
    printf("%g %g %d\n", sqrt(zero), 1 / INFINITY, !!isnan(sqrt(-1 - zero)));
    printf("%g %g\n", log(zero), exp(zero + 1000));
    printf("%g %g %g\n", fmax(NAN, 1), fmin(2, NAN), pow(zero, 0));
    printf("%g %g\n", floor(-0.5), ceil(-0.5));
    printf("%d\n", HUGE_VAL == INFINITY);
    return 0;
}
