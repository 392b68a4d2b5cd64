// Unsigned arithmetic is modulo a power of two in each width.
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    uint8_t a = 200;
    a = (uint8_t)(a + 100);
    uint16_t b = 65535;
    b++;
    uint32_t c = 0;
    c--;
    uint64_t d = 0;
    d -= 2;
    printf("%u %u %u %llu\n", a, b, c, (unsigned long long)d);
    c *= 3;
    d *= d;
    printf("%u %llu\n", c, (unsigned long long)d);
    unsigned neg = -5u;
    printf("%u %u %u\n", neg, neg / 2, neg % 7);
    uint32_t h = 2166136261u;
    for (int i = 0; i < 1000; i++)
        h = (h ^ (uint32_t)i) * 16777619u;
    printf("%08x\n", h);
    uint64_t lcg = 1;
    for (int i = 0; i < 100; i++)
        lcg = lcg * 6364136223846793005ULL + 1442695040888963407ULL;
    printf("%016llx\n", (unsigned long long)lcg);
    uint8_t down = 3;
    int n = 0;
    while (down-- != 0)
        n++;
    printf("%d %d\n", n, down);
    return 0;
}
