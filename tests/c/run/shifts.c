// Left, logical right and arithmetic right shifts in all widths.
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    for (unsigned s = 0; s < 32; s += 5)
        printf("%u %u %d\n", 0x80000001u << s, 0x80000001u >> s, (int)0x80000001 >> s);
    for (unsigned s = 0; s < 64; s += 13)
        printf("%llx %llx %lld\n", 0x8000000000000001ULL << s, 0x8000000000000001ULL >> s,
               (long long)0x8000000000000001ULL >> s);
    int8_t c = -128;
    uint8_t u = 0x81;
    int16_t w = -1234;
    printf("%d %d %d %d\n", c >> 3, u >> 3, (uint8_t)(u << 3), w >> 4);
    c >>= 1;
    u >>= 1;
    w >>= 7;
    printf("%d %d %d\n", c, u, w);
    unsigned char shift = 4;
    long long by = 2;
    printf("%d %d\n", 3 << shift, 3 << by);
    return 1 << 3;
}
