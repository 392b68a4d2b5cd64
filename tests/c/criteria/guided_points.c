// Two lines to reach, of two functions, which one input reaches together.
// function: lcm
// options: -s guided --loop-bound 2 --assume a>-10000&&a<10000&&b>-10000&&b<10000 --point guided_points.c:32 --point guided_points.c:9
// expect: point covered 2 infeasible 0 unknown 0
// tests: 1
static int absolute(int a)
{
    if (a >= 0)
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
