// Structs and unions with a long double member, passed and returned.
#include <stdio.h>

struct one { long double v; };
struct mixed { int n; long double v; char c; };
union either { long double v; long n; };

static struct one dbl(struct one a) { a.v *= 2; return a; }
static struct mixed step(struct mixed m) { m.n++; m.v /= 4; m.c = (char)(m.c - 1); return m; }
static union either wrap(long double v) { union either e; e.v = v; return e; }
static long double many(long double a, int b, long double c, double d, struct one e) { return a * b + c * d - e.v; }

int main(void)
{
    printf("%.4Lf\n", dbl((struct one){1.375L}).v);
    struct mixed m = step(step((struct mixed){5, 100, 'z'}));
    printf("%d %.4Lf %c\n", m.n, m.v, m.c);
    printf("%.3Lf\n", wrap(2.5L).v);
    printf("%.5Lf\n", many(1.5L, 2, 3.25L, 0.5, (struct one){0.125L}));
    return m.n;
}
