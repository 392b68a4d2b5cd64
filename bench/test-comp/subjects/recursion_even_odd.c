// Two functions that call each other.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

static int odd(unsigned n);
static int even(unsigned n)
{
    if (n == 0)
        return 1;
    return odd(n - 1);
}
static int odd(unsigned n)
{
    if (n == 0)
        return 0;
    return even(n - 1);
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uchar();
    if (n > 9)
        return 0;
    if (even(n))
        return 1;
    return 2;
}
