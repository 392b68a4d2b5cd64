// x87 long double: more precision than double, in arithmetic, arrays and structs.
#include <float.h>
#include <stdio.h>

struct pair {
    int n;
    long double v;
};

static long double power(long double x, int n)
{
    long double r = 1;
    while (n-- > 0)
        r *= x;
    return r;
}

int main(void)
{
    long double third = 1.0L / 3;
    printf("%.21Lf %.17f\n", third, (double)third);
    printf("%.10Le\n", power(3.0L, 100));
    printf("%.18Lf\n", power(1.0L + 1.0L / 1024, 1024));
    printf("%d %d\n", 1.0L + LDBL_EPSILON > 1.0L, (double)(1.0L + LDBL_EPSILON) > 1.0);
    struct pair p[2] = {{1, 1.25L}, {2, -2.5L}};
    p[0].v += p[1].v * 3;
    printf("%d %.4Lf %zu\n", p[0].n, p[0].v, sizeof(struct pair));
    long double sum = 0;
    for (int i = 1; i <= 1000; i++)
        sum += 1.0L / i;
    printf("%.18Lf\n", sum);
    printf("%.6Lg %.3Lf\n", LDBL_MAX, -sum);
    printf("%d %d %d\n", sum < 8, sum == sum, -sum > 0);
    float f = (float)sum;
    double d = (double)sum;
    printf("%.9g %.17g\n", f, d);
    return (int)sum;
}
