// Comparisons with NaN and infinities in all three floating types.
#include <math.h>
#include <stdio.h>

#define ALL(a, b) printf("%d%d%d%d%d%d\n", (a) < (b), (a) <= (b), (a) > (b), (a) >= (b), (a) == (b), (a) != (b))

int main(void)
{
    volatile double nan = NAN, inf = INFINITY, one = 1;
    volatile float fnan = NAN, fone = 1;
    volatile long double lnan = NAN, lone = 1;
    ALL(nan, one);
    ALL(one, nan);
    ALL(nan, nan);
    ALL(inf, one);
    ALL(-inf, inf);
    ALL(fnan, fone);
    ALL(fone, fone);
    ALL(lnan, lone);
    ALL(lone, lone);
    ALL(-0.0, 0.0);
    printf("%d %d %d %d\n", !(nan < one), !nan, nan ? 1 : 0, (nan || 0));
    printf("%d %d %d\n", isnan(nan), isunordered(nan, one), isless(nan, one));
    printf("%d %d %d\n", isgreater(one, 0.5), islessgreater(one, 2.0), isgreaterequal(one, nan));
    if (nan == nan)
        puts("equal");
    else
        puts("not equal");
    while (nan < one)
        puts("never");
    return nan != nan;
}
