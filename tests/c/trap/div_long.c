// expect: trap division-by-zero 7
// native: undefined
// A 64-bit division by zero.
int main(void)
{
    long a = 1L << 40, b = a - a;
    a /= b;
    return (int)a;
}
