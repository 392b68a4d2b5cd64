// expect: trap out-of-bounds 8
// native: address
// A variable length array is written past its end.
static int run(int n)
{
    int v[n];
    for (int i = n; i >= 0; i--)
        v[i] = i;
    return v[0];
}

int main(void)
{
    return run(7);
}
