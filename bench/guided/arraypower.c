/* Each second element of an array to a power. */
static int power(int base, int exponent)
{
    if (exponent < 0)
        return -1;
    int result = 1;
    for (int i = 1; i <= exponent; i++)
        result = (int)((unsigned)result * (unsigned)base);
    return result;
}

void arraypower(int *a, int n, int exponent)
{
    for (int i = 0; i < n; i++)
        if (i % 2 == 0)
            a[i] = power(a[i], exponent);
}
