// Conversions between integers and float, double, long double.
// machines: x86_64 i386 aarch64 riscv64
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    double ds[] = {0.0, 0.99, -0.99, 1.5, -1.5, 100.999, -100.999};
    for (int i = 0; i < 7; i++)
        printf("%d %d %lld %d\n", (int8_t)ds[i], (int)ds[i], (long long)ds[i], (int)(float)ds[i]);
    printf("%llu %u\n", (unsigned long long)1.8e19, (unsigned)4.2e9);
    printf("%llu %lld\n", (unsigned long long)9.3e18f, (long long)-9.2e18f);
    long double big = 18446744073709551615.0L;
    printf("%llu %lld\n", (unsigned long long)big, (long long)-9223372036854775807.0L);
    int64_t n = 9007199254740993LL;
    uint64_t m = 18446744073709551615ULL;
    printf("%.1f %.1f %.1f %.1f\n", (double)n, (float)n, (double)m, (float)m);
    printf("%.1Lf %.1Lf\n", (long double)n, (long double)m);
    int i = 16777217;
    unsigned u = 4294967295u;
    printf("%.1f %.1f %.1f\n", (float)i, (float)u, (double)u);
    printf("%.1f %.1f\n", (double)(int8_t)-7, (float)(uint8_t)249);
    printf("%d %d %d\n", (_Bool)0.1, (_Bool)0.0, (_Bool)-0.0);
    float f = 3.7f;
    f += 1;
    int k = 10;
    k *= 1.5;
    k -= 0.5;
    printf("%.2f %d\n", f, k);
    return (int)f;
}
