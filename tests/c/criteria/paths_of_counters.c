// Which elements are even is said by the counter: of the seven paths within the bound three can be taken.
// function: arraypower
// options: -c local-path --loop-bound 2 -s guided --pointers valid --assume n<=16
// expect: local-path covered 3 infeasible 4 unknown 0
// tests: 3
static int power(int base, int exponent)
{
    if (exponent < 0)
        return -1;
    int result = 1;
    for (int i = 1; i <= exponent; i++)
        result = (int)((unsigned)result * (unsigned)base);
    return result;
}

void arraypower(int a[16], unsigned n, int exponent)
{
    for (unsigned i = 0; i < n; i++)
        if (i % 2 == 0)
            a[i] = power(a[i], exponent);
}
