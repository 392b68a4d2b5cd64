// Integer arithmetic in a loop: shifts, multiplications, additions, comparisons; almost no memory.
#include <stdint.h>
#include <stdio.h>

static uint32_t mix(uint32_t rounds)
{
    uint32_t a = 0x9e3779b9u, b = 1, sum = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        a ^= a << 13;
        a ^= a >> 17;
        a ^= a << 5;
        b = b * 1664525u + 1013904223u;
        if ((a & 7u) > (b >> 29))
            sum += a;
        else
            sum ^= b + i;
    }
    return sum;
}

int main(void)
{
    printf("%08x\n", mix(12000000));
    return 0;
}
