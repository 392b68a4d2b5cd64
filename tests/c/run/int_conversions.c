// Conversions between all pairs of integer types.
// machines: x86_64 aarch64 riscv64
#include <stdint.h>
#include <stdio.h>

#define SHOW(v)                                                                                                        \
    printf("%s: %d %u %d %u %d %u %lld %llu %d\n", #v, (int8_t)(v), (uint8_t)(v), (int16_t)(v), (uint16_t)(v),         \
           (int32_t)(v), (uint32_t)(v), (long long)(int64_t)(v), (unsigned long long)(uint64_t)(v), (_Bool)(v))

int main(void)
{
    volatile int8_t a = -3;
    volatile uint8_t b = 0xfe;
    volatile int16_t c = -30000;
    volatile uint16_t d = 60000;
    volatile int32_t e = -2000000000;
    volatile uint32_t f = 4000000000u;
    volatile int64_t g = -8000000000000000001LL;
    volatile uint64_t h = 0xfedcba9876543210ULL;
    volatile _Bool t = 7;
    SHOW(a);
    SHOW(b);
    SHOW(c);
    SHOW(d);
    SHOW(e);
    SHOW(f);
    SHOW(g);
    SHOW(h);
    SHOW(t);
    SHOW((__int128)g * 1000);
    return 0;
}
