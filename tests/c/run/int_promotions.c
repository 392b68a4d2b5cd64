// The usual arithmetic conversions: promotion of small types, signed meeting unsigned.
#include <stdio.h>

int main(void)
{
    unsigned char a = 200, b = 100;
    printf("%d %d\n", a + b, (unsigned char)(a + b));
    printf("%d %d\n", ~a, !a);
    short s = -1;
    unsigned short us = 65535;
    printf("%d %d\n", s == us, (unsigned short)s == us);
    int neg = -1;
    unsigned one = 1;
    int smaller = (unsigned)neg < one;
    printf("%d %d\n", smaller, neg < (int)one);
    long l = -1;
    printf("%d\n", l < (long)one);
    unsigned long ul = 1;
    printf("%d\n", (unsigned long)l > ul);
    char c = (char)0xf0;
    printf("%d %d\n", c, (unsigned char)c);
    printf("%d\n", (c >> 4) & 0xff);
    printf("%zu %zu %zu\n", sizeof(a + b), sizeof(+s), sizeof(1u + 1l));
    int x = 'A' + 1;
    printf("%c %d\n", x, x);
    float f = 1;
    printf("%zu %zu\n", sizeof(f * 2), sizeof(f * 2.0));
    return (a + b) > 255;
}
