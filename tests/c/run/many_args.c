// More arguments than registers, of mixed types, and calls nested in arguments.
// machines: x86_64 aarch64 riscv64
#include <stdio.h>

static long mix(char a, short b, int c, long d, float e, double f, unsigned char g, unsigned short h, int i, long j,
                float k, double l, char m, double n, double o, double p, double q, double r, double s, int t)
{
    return a + 2 * b + 3 * c + 4 * d + (long)(5 * e) + (long)(6 * f) + 7 * g + 8 * h + 9 * i + 10 * j + (long)(11 * k) +
           (long)(12 * l) + 13 * m + (long)(n + o + p + q + r + s) * 14 + 15 * t;
}

static __int128 wide(int a, __int128 b, int c, __int128 d, int e, __int128 f, int g)
{
    return a + b * c + d * e + f * g;
}

static int add(int a, int b) { return a + b; }

int main(void)
{
    printf("%ld\n", mix(-1, -2, 3, 4, 5.5f, 6.5, 255, 65535, -9, 10, 1.25f, 2.5, 'm', 1, 2, 3, 4, 5, 6, -20));
    printf("%lld\n", (long long)wide(1, 2, 3, 4, 5, 6, 7));
    printf("%d\n", add(add(add(1, 2), add(3, 4)), add(add(5, 6), add(7, 8))));
    return 0;
}
