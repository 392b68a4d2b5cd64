// expect: trap stack-overflow 4
// native: address
// Few frames, each of them large.
static int f(int n) { volatile char b[200000]; b[0] = (char)n; return n ? f(n - 1) + b[0] : 0; }

int main(void)
{
    return f(1000);
}
