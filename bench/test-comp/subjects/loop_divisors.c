// Counts divisors of a small number.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char n = __VERIFIER_nondet_uchar();
    int count = 0;
    for (int d = 1; d <= n; d++) {
        if (n % d == 0)
            count++;
    }
    if (count == 2)
        return 1;
    if (count == 5)
        return 2;
    return 0;
}
