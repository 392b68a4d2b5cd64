// The least common multiple by the greatest common divisor.
// function: lcm
// options: --assume a>-10000 --assume a<10000 --assume b>-10000 --assume b<10000
#include <stddef.h>

/* Two points are wanted: the positive way out of absolute, and the way out of lcm for two zeros. */

static int absolute(int a)
{
    int positive = a >= 0;
    if (positive)
        return a;
    return -a;
}

static int gcd(int a, int b)
{
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return absolute(a);
}

int lcm(int a, int b)
{
    if (a < b) {
        int swap = a;
        a = b;
        b = swap;
    }
    int d = gcd(a, b);
    if (d == 0)
        return -1;
    return absolute(a * b) / d;
}
