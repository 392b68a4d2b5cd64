// Switches on 64-bit, unsigned 64-bit, 128-bit and 16-bit values.
// machines: x86_64 aarch64 riscv64
#include <stdint.h>
#include <stdio.h>

static int s64(int64_t v)
{
    switch (v) {
    case INT64_MIN: return 1;
    case -5000000000: return 2;
    case 0: return 3;
    case 0x100000000: return 4;
    case 0x200000000: return 5;
    case INT64_MAX: return 6;
    }
    return 0;
}

static int u64(uint64_t v)
{
    switch (v) {
    case UINT64_MAX: return 1;
    case 0x8000000000000000u: return 2;
    case 7: return 3;
    }
    return 0;
}

static int wide(unsigned __int128 v)
{
    switch (v) {
    case (unsigned __int128)1 << 100: return 1;
    case ((unsigned __int128)1 << 64) | 5: return 2;
    case 5: return 3;
    }
    return 0;
}

static int s16(short v)
{
    switch (v) {
    case -32768: return 1;
    case 32767: return 2;
    }
    return 0;
}

int main(void)
{
    printf("%d%d%d%d%d%d%d\n", s64(INT64_MIN), s64(-5000000000), s64(0), s64(0x100000000), s64(0x200000000),
           s64(INT64_MAX), s64(1));
    printf("%d%d%d%d\n", u64(UINT64_MAX), u64(0x8000000000000000u), u64(7), u64(0x100000007));
    unsigned __int128 one = 1;
    printf("%d%d%d%d\n", wide(one << 100), wide((one << 64) + 5), wide(5), wide(one << 64));
    printf("%d%d%d\n", s16(-32768), s16(32767), s16((short)65535));
    return 0;
}
