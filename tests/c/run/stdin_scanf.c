// stdin: 12 -7 0x1f\n3.25 1e3 word 'q' tail\n5,6;7\nabc
// scanf over several lines with many conversions.
#include <stdio.h>

int main(void)
{
    int a, b;
    unsigned h;
    int n = scanf("%d %d %x", &a, &b, &h);
    printf("%d: %d %d %u\n", n, a, b, h);
    float f;
    double d;
    char w[10], q, t[3];
    n = scanf("%f %lf %9s '%c' %2s", &f, &d, w, &q, t);
    printf("%d: %g %g %s %c %s\n", n, f, d, w, q, t);
    char rest[10];
    n = scanf("%9s", rest);
    printf("%d: %s\n", n, rest);
    int x, y, z;
    n = scanf("%d,%d;%d", &x, &y, &z);
    printf("%d: %d %d %d\n", n, x, y, z);
    n = scanf("%d", &a);
    printf("%d\n", n);
    n = scanf(" %9[a-z]", w);
    printf("%d: %s\n", n, w);
    n = scanf("%d", &a);
    printf("%d\n", n);
    return n == EOF;
}
