// SHA-256 of several messages; the constants are computed from primes, not written down.
// machines: x86_64 aarch64 riscv64
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t k[64], start[8];

static uint32_t ror(uint32_t v, int n) { return v >> n | v << (32 - n); }

// The first 32 bits of the fractional part of the given root of p, by bisection in integers.
static uint32_t fraction(uint32_t p, int root)
{
    unsigned __int128 lo = 0, hi = (unsigned __int128)1 << 36;
    while (hi - lo > 1) {
        unsigned __int128 mid = (lo + hi) / 2;
        int above = root == 2 ? mid * mid > (unsigned __int128)p << 64 : mid * mid * mid > (unsigned __int128)p << 96;
        if (above)
            hi = mid;
        else
            lo = mid;
    }
    return (uint32_t)lo;
}

static void prepare(void)
{
    int n = 0;
    for (uint32_t c = 2; n < 64; c++) {
        int prime = 1;
        for (uint32_t d = 2; d * d <= c; d++)
            prime &= c % d != 0;
        if (!prime)
            continue;
        if (n < 8)
            start[n] = fraction(c, 2);
        k[n++] = fraction(c, 3);
    }
}

static void block(uint32_t h[8], const unsigned char *p)
{
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (ror(a, 7) ^ ror(a, 18) ^ a >> 3) + w[i - 7] + (ror(b, 17) ^ ror(b, 19) ^ b >> 10);
    }
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t s1 = ror(v[4], 6) ^ ror(v[4], 11) ^ ror(v[4], 25);
        uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
        uint32_t s0 = ror(v[0], 2) ^ ror(v[0], 13) ^ ror(v[0], 22);
        uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += v[i];
}

static void digest(const char *s, size_t n)
{
    uint32_t h[8];
    memcpy(h, start, sizeof h);
    size_t i = 0;
    for (; i + 64 <= n; i += 64)
        block(h, (const unsigned char *)s + i);
    unsigned char tail[128] = {0};
    size_t rest = n - i, len = rest < 56 ? 64 : 128;
    memcpy(tail, s + i, rest);
    tail[rest] = 0x80;
    for (int b = 0; b < 8; b++)
        tail[len - 1 - (size_t)b] = (unsigned char)((uint64_t)n * 8 >> (8 * b));
    for (size_t at = 0; at < len; at += 64)
        block(h, tail + at);
    for (int j = 0; j < 8; j++)
        printf("%08x", h[j]);
    putchar('\n');
}

int main(void)
{
    prepare();
    digest("", 0);
    digest("abc", 3);
    digest("message digest", 14);
    char long_text[1000];
    memset(long_text, 'a', sizeof long_text);
    digest(long_text, 55);
    digest(long_text, 56);
    digest(long_text, 64);
    digest(long_text, sizeof long_text);
    return 0;
}
