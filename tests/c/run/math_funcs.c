// math.h: exact functions to the last bit, others to ten digits.
#include <math.h>
#include <stdio.h>

int main(void)
{
    double v[] = {0.5, 2.0, 10.25, 1e-3, 7.999};
    for (int i = 0; i < 5; i++) {
        double x = v[i];
        printf("%.17g %.17g %.17g %.17g\n", sqrt(x), floor(-x), ceil(x), fabs(-x));
        printf("%.10g %.10g %.10g %.10g %.10g\n", sin(x), cos(x), tan(x), exp(x), log(x));
        printf("%.10g %.10g %.10g %.10g %.10g\n", atan(x), sinh(x), cosh(x), tanh(x), log10(x));
        printf("%.10g %.10g %.10g %.10g %.10g\n", log2(x), cbrt(x), exp2(x), log1p(x), expm1(x));
    }
    printf("%.10g %.10g %.10g\n", asin(0.5), acos(0.5), atan2(-1, -2));
    printf("%.10g %.10g %.10g\n", pow(2, 0.5), pow(-2, 3), pow(10, -3));
    printf("%.17g %.17g\n", fmod(10.5, 3), fmod(-10.5, 3));
    printf("%.17g %.17g %.17g\n", hypot(3, 4), fmax(1, 2), fmin(-1, 1));
    printf("%g %g %g %g %g %g\n", round(2.5), round(-2.5), trunc(-2.7), rint(2.5), nearbyint(3.5), fdim(5, 3));
    printf("%ld %lld %ld\n", lround(-2.5), llround(1e10 + 0.5), lrint(2.5));
    int e;
    double m = frexp(48.0, &e);
    printf("%g %d %g\n", m, e, ldexp(0.75, 4));
    double ip, fp = modf(-3.75, &ip);
    printf("%g %g\n", ip, fp);
    printf("%g %g\n", copysign(3, -0.0), fma(2, 3, 4));
    printf("%d %g %g\n", ilogb(1000), logb(1000), scalbn(1.5, 3));
    printf("%.9g %.9g %.9g\n", sqrtf(2), floorf(-1.5f), powf(2, 10));
    printf("%.9g %.9g\n", fabsf(-1.25f), fmodf(5.5f, 2));
    printf("%.15Lg %.15Lg\n", sqrtl(2), fabsl(-2.5L));
    return 0;
}
