// flags: -std=c23
// check: signed-overflow,shift,array-bounds
// _BitInt of odd widths up to 128: wrap, sign, conversion, struct member, argument and result.
#include <stdio.h>

typedef unsigned _BitInt(7) u7;
typedef _BitInt(7) i7;
typedef unsigned _BitInt(37) u37;
typedef _BitInt(65) i65;
typedef unsigned _BitInt(128) u128b;

struct holder {
    char tag;
    u37 wide;
    i7 tiny;
};

static u37 mix(u37 a, i65 b)
{
    return (u37)(a * 3 + (u37)b);
}

static i65 twice(i65 v)
{
    return v + v;
}

int main(void)
{
    u7 a = 127;
    a += 3;
    printf("%d\n", (int)a);
    i7 b = -64;
    printf("%d %d\n", (int)b, (int)(i7)(b / 2));
    u37 c = 0;
    c -= 1;
    printf("%llu\n", (unsigned long long)c);
    i65 d = ((i65)1 << 62);
    d = twice(d);
    printf("%d %llu\n", d > 0, (unsigned long long)d);
    d = -d;
    printf("%d %lld\n", d < 0, (long long)(d / 2));
    printf("%llu\n", (unsigned long long)mix((u37)0x1fffffffff, (i65)-5));
    u128b e = (u128b)0xdeadbeef << 90;
    printf("%llx %llx\n", (unsigned long long)(e >> 64), (unsigned long long)e);
    struct holder h = {'t', (u37)123456789012, (i7)-33};
    struct holder g = h;
    g.wide += 1;
    g.tiny -= 1;
    printf("%c %llu %d\n", g.tag, (unsigned long long)g.wide, (int)g.tiny);
    u7 arr[4] = {1, 2, 3, 100};
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (int)arr[i];
    printf("%d\n", sum);
    double f = (double)(u37)0x1000000001;
    printf("%.1f %d\n", f, (int)(i7)-12.75);
    return (int)a;
}
