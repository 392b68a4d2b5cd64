// Four paths of its own, whatever gcd and absolute do; no input makes gcd 0 after a swap.
// function: lcm
// options: -c local-path --assume a>-10000&&a<10000&&b>-10000&&b<10000
// expect: local-path covered 3 infeasible 1 unknown 0
// expect: infeasible 22:0 path 1
// tests: 3
static int absolute(int a)
{
    return a >= 0 ? a : -a;
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
