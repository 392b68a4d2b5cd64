// Conversions between 128-bit integers and the floating types.
// machines: x86_64 aarch64 riscv64
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(u128 v)
{
    printf("%016llx%016llx\n", (unsigned long long)(v >> 64), (unsigned long long)v);
}

int main(void)
{
    i128 a = (i128)1 << 100;
    a += 12345;
    printf("%.0f %.0f %.0Lf\n", (double)a, (double)(float)a, (long double)a);
    i128 n = -a * 3;
    printf("%.0f %.0Lf\n", (double)n, (long double)n);
    u128 m = ~(u128)0;
    printf("%.0f %.0Lf\n", (double)m, (long double)m);
    show((u128)1e30);
    show((u128)(i128)-1e30);
    show((u128)1.5e20f);
    show((u128)123456789012345678901234567890.0L);
    show((u128)(i128)-7.9);
    u128 tie = ((u128)1 << 90) + ((u128)1 << 37);
    printf("%.0f\n", (double)tie);
    printf("%.0f\n", (double)(tie + 1));
    return 0;
}
