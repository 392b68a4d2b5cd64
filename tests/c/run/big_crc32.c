// CRC-32 bit by bit, with a table and with slicing; Adler-32 and FNV beside it.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t table[4][256];

static uint32_t slow(const unsigned char *p, size_t n)
{
    uint32_t c = ~0u;
    while (n--) {
        c ^= *p++;
        for (int i = 0; i < 8; i++)
            c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0);
    }
    return ~c;
}

static void prepare(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int b = 0; b < 8; b++)
            c = c >> 1 ^ (-(c & 1) & 0xedb88320u);
        table[0][i] = c;
    }
    for (int t = 1; t < 4; t++)
        for (int i = 0; i < 256; i++)
            table[t][i] = table[t - 1][i] >> 8 ^ table[0][table[t - 1][i] & 0xff];
}

static uint32_t fast(const unsigned char *p, size_t n)
{
    uint32_t c = ~0u;
    for (; n >= 4; n -= 4, p += 4) {
        uint32_t w;
        memcpy(&w, p, 4);
        c ^= w;
        c = table[3][c & 0xff] ^ table[2][c >> 8 & 0xff] ^ table[1][c >> 16 & 0xff] ^ table[0][c >> 24];
    }
    while (n--)
        c = c >> 8 ^ table[0][(c ^ *p++) & 0xff];
    return ~c;
}

static uint32_t adler(const unsigned char *p, size_t n)
{
    uint32_t a = 1, b = 0;
    while (n--) {
        a = (a + *p++) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static uint64_t fnv(const unsigned char *p, size_t n)
{
    uint64_t h = 14695981039346656037ULL;
    while (n--)
        h = (h ^ *p++) * 1099511628211ULL;
    return h;
}

int main(void)
{
    prepare();
    unsigned char data[600];
    for (int i = 0; i < 600; i++)
        data[i] = (unsigned char)(i * i + (i >> 3));
    memcpy(data, "123456789", 9);
    size_t sizes[] = {0, 1, 9, 10, 11, 12, 600};
    for (int i = 0; i < 7; i++) {
        size_t n = sizes[i];
        printf("%3zu %08x %08x %08x %016llx\n", n, slow(data, n), fast(data, n), adler(data, n),
               (unsigned long long)fnv(data, n));
    }
    return slow(data, 9) == 0xcbf43926u;
}
