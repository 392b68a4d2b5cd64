// 128-bit addition, multiplication, logic, shifts and comparison.
// machines: x86_64 aarch64 riscv64
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(const char *name, u128 v)
{
    printf("%s %016llx%016llx\n", name, (unsigned long long)(v >> 64), (unsigned long long)v);
}

int main(void)
{
    volatile unsigned long long seed = 0x0123456789abcdefULL;
    u128 a = ((u128)seed << 64) | ~seed;
    u128 b = (u128)seed * seed;
    i128 n = -(i128)b;
    show("a", a);
    show("b", b);
    show("a+b", a + b);
    show("a-b", a - b);
    show("a*b", a * b);
    show("n", (u128)n);
    show("n>>5", (u128)(n >> 5));
    show("a>>100", a >> 100);
    show("a<<77", a << 77);
    show("and", a & b);
    show("xor", a ^ b);
    show("not", ~a);
    printf("%d %d %d %d\n", a < b, a > b, n < 0, (i128)a < n);
    for (unsigned s = 0; s < 128; s += 21)
        show("rot", s ? (a << s) | (a >> (128 - s)) : a);
    unsigned char by = (unsigned char)a;
    i128 wide = (signed char)by;
    show("sext", (u128)wide);
    return 0;
}
