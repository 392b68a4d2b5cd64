// A number of a sequence, by calls of itself.
// property: branches
// missed: 0
extern unsigned char __VERIFIER_nondet_uchar(void);

static int fibonacci(int n)
{
    if (n < 2)
        return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    int n = __VERIFIER_nondet_uchar();
    if (n > 8)
        return 0;
    if (fibonacci(n) == 13)
        return 1;
    return 2;
}
