// The bytes of floating values: sign, exponent and fraction through unions and memcpy.
// machines: x86_64 i386
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits(double d)
{
    uint64_t u;
    memcpy(&u, &d, sizeof u);
    return u;
}

static float rsqrt(float x)
{
    union {
        float f;
        uint32_t u;
    } v = {x};
    v.u = 0x5f3759df - (v.u >> 1);
    return v.f * (1.5f - 0.5f * x * v.f * v.f);
}

int main(void)
{
    double ds[] = {0.0, -0.0, 1.0, -2.5, 1e-310, INFINITY};
    for (int i = 0; i < 6; i++) {
        uint64_t u = bits(ds[i]);
        printf("%d %4d %013llx\n", (int)(u >> 63), (int)(u >> 52 & 0x7ff), (unsigned long long)(u & 0xfffffffffffffULL));
    }
    printf("%.6f %.6f\n", rsqrt(4.0f), rsqrt(0.1f));
    long double l = -1.5L;
    unsigned char raw[16];
    memcpy(raw, &l, 10);
    for (int i = 9; i >= 0; i--)
        printf("%02x", raw[i]);
    putchar('\n');
    float f = 1.0f;
    uint32_t w;
    memcpy(&w, &f, 4);
    w++;
    memcpy(&f, &w, 4);
    printf("%.9g\n", f);
    printf("%d %d\n", signbit(-0.0) != 0, signbit(3.0) != 0);
    return 0;
}
