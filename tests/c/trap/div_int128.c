// expect: trap division-by-zero 7
// native: undefined
// A 128-bit division by zero.
int main(void)
{
    volatile __int128 a = (__int128)1 << 100, b = 0;
    return (int)(a / b);
}
