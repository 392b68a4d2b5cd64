// Arithmetic in every standard integer width, at its limits.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    signed char sc = SCHAR_MAX;
    unsigned char uc = UCHAR_MAX;
    short s = SHRT_MIN;
    unsigned short us = USHRT_MAX;
    int i = INT_MIN;
    unsigned u = UINT_MAX;
    long l = LONG_MAX;
    unsigned long ul = ULONG_MAX;
    long long ll = LLONG_MIN;
    unsigned long long ull = ULLONG_MAX;
    printf("%d %d %d %d\n", sc, uc, s, us);
    printf("%d %u %ld %lu %lld %llu\n", i, u, l, ul, ll, ull);
    sc -= 100;
    uc /= 7;
    s += 1;
    us %= 1000;
    i += 17;
    u /= 3;
    l -= 12345678901;
    ul >>= 13;
    ll /= 3;
    ull *= 5;
    printf("%d %d %d %d\n", sc, uc, s, us);
    printf("%d %u %ld %lu %lld %llu\n", i, u, l, ul, ll, ull);
    int8_t a = -128;
    int16_t b = 0x7fff;
    int32_t c = -0x7fffffff;
    int64_t d = INT64_C(0x123456789abcdef0);
    printf("%d %d %d %lld\n", (int8_t)(a ^ 0x55), (int16_t)(b & ~0xff), c | 1, (long long)(d ^ -1));
    printf("%zu %zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(long long));
    return sc + 2;
}
