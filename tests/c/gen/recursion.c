// Recursion: the greatest common divisor, and the function of Ackermann for small arguments.
// function: both
// expect: covered 18 infeasible 0 unknown 0

static unsigned divisor(unsigned a, unsigned b)
{
    return b == 0 ? a : divisor(b, a % b);
}

static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int both(unsigned char a, unsigned char b);
int both(unsigned char a, unsigned char b)
{
    if (a > 63 || b > 63)
        return -1;
    unsigned d = divisor(a, b);
    if (d > 1 && d == a)
        return 1;
    if (d == 0)
        return 2;
    if (ackermann(a & 1, b & 3) == 5)
        return 3;
    return 0;
}
