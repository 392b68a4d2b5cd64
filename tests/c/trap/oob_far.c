// expect: trap out-of-bounds|wild-pointer 8
// native: address
// An index far beyond everything.
int main(void)
{
    static int a[4];
    long i = 1L << 40;
    return a[i];
}
