// expect: trap out-of-bounds 8
// native: address
// A global array is read past its end.
static const int primes[] = {2, 3, 5, 7, 11};

static int nth(int n)
{
    return primes[n];
}

int main(void)
{
    int s = 0;
    for (int i = 0; i < 6; i++)
        s += nth(i);
    return s;
}
