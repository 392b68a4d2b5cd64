// __builtin_{add,sub,mul}_overflow in all widths, with mixed types.
// machines: x86_64 aarch64 riscv64
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    int r;
    printf("%d", __builtin_add_overflow(INT_MAX, 1, &r));
    printf(" %d\n", r);
    printf("%d", __builtin_sub_overflow(INT_MIN, 1, &r));
    printf(" %d\n", r);
    printf("%d", __builtin_mul_overflow(46341, 46341, &r));
    printf(" %d\n", r);
    printf("%d", __builtin_mul_overflow(46340, 46340, &r));
    printf(" %d\n", r);
    unsigned u;
    printf("%d", __builtin_add_overflow(UINT_MAX, 2u, &u));
    printf(" %u\n", u);
    printf("%d", __builtin_sub_overflow(1u, 2u, &u));
    printf(" %u\n", u);
    int64_t l;
    printf("%d", __builtin_mul_overflow((int64_t)INT64_MAX, (int64_t)-1, &l));
    printf(" %lld\n", (long long)l);
    printf("%d", __builtin_mul_overflow((int64_t)3037000500, (int64_t)3037000500, &l));
    printf(" %lld\n", (long long)l);
    uint64_t ul;
    printf("%d", __builtin_umull_overflow(0xffffffffUL, 0x100000001UL, &ul));
    printf(" %llu\n", (unsigned long long)ul);
    int8_t b;
    printf("%d", __builtin_add_overflow(100, 27, &b));
    printf(" %d\n", b);
    printf("%d", __builtin_add_overflow(100, 28, &b));
    printf(" %d\n", b);
    printf("%d", __builtin_add_overflow(-1, 2u, &r));
    printf(" %d\n", r);
    __int128 w;
    printf("%d", __builtin_mul_overflow((__int128)1 << 100, (__int128)1 << 26, &w));
    printf(" %d\n", w > 0);
    printf("%d", __builtin_mul_overflow((__int128)1 << 100, (__int128)1 << 27, &w));
    printf(" %d\n", w < 0);
    unsigned carry_out;
    unsigned s = __builtin_addc(0xffffffffu, 0u, 1u, &carry_out);
    printf("%u %u\n", s, carry_out);
    return 0;
}
