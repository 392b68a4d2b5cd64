// MD5 with its table computed from sines.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t sines[64];
static const unsigned char turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static void block(uint32_t h[4], const unsigned char *p)
{
    uint32_t m[16];
    for (int i = 0; i < 16; i++)
        m[i] = p[4 * i] | (uint32_t)p[4 * i + 1] << 8 | (uint32_t)p[4 * i + 2] << 16 | (uint32_t)p[4 * i + 3] << 24;
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3];
    for (int i = 0; i < 64; i++) {
        uint32_t f;
        int g;
        switch (i / 16) {
        case 0: f = (b & c) | (~b & d); g = i; break;
        case 1: f = (d & b) | (~d & c); g = (5 * i + 1) % 16; break;
        case 2: f = b ^ c ^ d; g = (3 * i + 5) % 16; break;
        default: f = c ^ (b | ~d); g = 7 * i % 16;
        }
        uint32_t t = a + f + sines[i] + m[g];
        int s = turns[i / 16][i % 4];
        a = d;
        d = c;
        c = b;
        b += t << s | t >> (32 - s);
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
}

static void digest(const char *s)
{
    uint32_t h[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    uint64_t n = strlen(s), i = 0;
    unsigned char buf[128] = {0};
    for (; i + 64 <= n; i += 64)
        block(h, (const unsigned char *)s + i);
    memcpy(buf, s + i, n - i);
    buf[n - i] = 0x80;
    int len = n - i < 56 ? 64 : 128;
    for (int b = 0; b < 8; b++)
        buf[len - 8 + b] = (unsigned char)(n * 8 >> (8 * b));
    for (int at = 0; at < len; at += 64)
        block(h, buf + at);
    for (int w = 0; w < 4; w++)
        for (int b = 0; b < 4; b++)
            printf("%02x", h[w] >> (8 * b) & 0xff);
    printf(" %s\n", s);
}

int main(void)
{
    for (int i = 0; i < 64; i++)
        sines[i] = (uint32_t)(int64_t)floor(fabs(sin(i + 1)) * 4294967296.0);
    digest("");
    digest("a");
    digest("abc");
    digest("message digest");
    digest("12345678901234567890123456789012345678901234567890123456789012345678901234567890");
    return 0;
}
