// 128-bit division and remainder, signed and unsigned, and decimal printing.
// machines: x86_64 aarch64 riscv64
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void print_u128(u128 v)
{
    char buf[48];
    int at = 47;
    buf[at] = 0;
    do {
        buf[--at] = (char)('0' + (int)(v % 10));
        v /= 10;
    } while (v);
    puts(buf + at);
}

static void print_i128(i128 v)
{
    if (v < 0) {
        putchar('-');
        print_u128(-(u128)v);
    } else {
        print_u128((u128)v);
    }
}

int main(void)
{
    u128 f = 1;
    for (int i = 2; i <= 34; i++)
        f *= (unsigned)i;
    print_u128(f);
    print_u128(~(u128)0);
    i128 ds[] = {7, -7, 1000000007, -((i128)1 << 70), (i128)12345 << 64};
    i128 ns[] = {(i128)f / 3, -(i128)(f / 5), 12, -1, 0};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            print_i128(ns[i] / ds[j]);
            print_i128(ns[i] % ds[j]);
        }
    print_u128(f / ((u128)3 << 90));
    print_u128(f % ((u128)3 << 90));
    return 0;
}
