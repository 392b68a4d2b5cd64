// _Bool holds 0 or 1, whatever is stored into it.
#include <stdbool.h>
#include <stdio.h>

struct flags {
    bool a, b, c;
    bool bit : 1;
};

static bool even(int n)
{
    return n % 2 == 0;
}

static bool as_bool(int n)
{
    return n;
}

int main(void)
{
    bool b = 256;
    printf("%d %zu\n", b, sizeof b);
    b += 5;
    printf("%d\n", b);
    b = !b;
    printf("%d %d\n", b, b ^ true);
    double half = 0.5;
    struct flags f = {.a = 17, .c = half, .bit = 2};
    printf("%d %d %d %d\n", f.a, f.b, f.c, f.bit);
    bool many[5] = {0, 1, 2, 3};
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += many[i];
    printf("%d\n", sum);
    printf("%d %d %d\n", even(4), even(-3), as_bool(-8));
    int x = 5;
    int *at = &x;
    bool p = at;
    p &= x > 4;
    p |= false;
    printf("%d %d\n", p, p + p);
    b++;
    b++;
    printf("%d\n", b);
    return as_bool(0x100);
}
