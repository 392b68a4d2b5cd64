// clz, ctz, popcount, parity, ffs, bswap, bitreverse, rotate.
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    unsigned v[] = {1, 2, 3, 0x80000000u, 0x00ff0000u, 0xffffffffu, 12345678};
    for (int i = 0; i < 7; i++)
        printf("%d %d %d %d %d %08x %08x\n", __builtin_clz(v[i]), __builtin_ctz(v[i]), __builtin_popcount(v[i]),
               __builtin_parity(v[i]), __builtin_ffs((int)v[i]), __builtin_bswap32(v[i]), __builtin_bitreverse32(v[i]));
    uint64_t w = 0x0123456789abcdefULL;
    printf("%d %d %d %d\n", __builtin_clzll(w), __builtin_ctzll(w << 8), __builtin_popcountll(w), __builtin_ffsll(0));
    printf("%016llx %04x\n", (unsigned long long)__builtin_bswap64(w), __builtin_bswap16(0x1234));
    printf("%02x %016llx\n", __builtin_bitreverse8(0x13), (unsigned long long)__builtin_bitreverse64(w));
    printf("%08x %08x %016llx %02x\n", __builtin_rotateleft32(0x80000001u, 4), __builtin_rotateright32(0x80000001u, 4),
           (unsigned long long)__builtin_rotateleft64(w, 20), __builtin_rotateleft8(0x81, 1));
    printf("%d %d\n", __builtin_clrsb(-1), __builtin_clrsb(1));
    printf("%d\n", __builtin_abs(-12));
    return __builtin_popcountl(0xffUL);
}
