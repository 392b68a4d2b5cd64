// Calls that grow fast.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void)
{
    int m = __VERIFIER_nondet_uchar(), n = __VERIFIER_nondet_uchar();
    if (m > 2 || n > 3)
        return 0;
    if (ackermann(m, n) == 9)
        return 1;
    return 2;
}
