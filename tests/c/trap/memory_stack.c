// expect: trap memory-limit|stack-overflow 4
// limit: --memory 50000000
// A variable length array that does not fit.
static int f(long n) { char v[n]; v[0] = 1; v[n - 1] = 2; return v[0] + v[n - 1]; }

int main(void)
{
    return f(10) + f(500000000);
}
