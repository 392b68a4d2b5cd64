// expect: trap bad-shift 9
// check: shift
// native: undefined
// A 64-bit shift by 64.
int main(void)
{
    unsigned long m = ~0UL;
    int bits = 64;
    m <<= bits;
    return (int)m;
}
