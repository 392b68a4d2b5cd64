// expect: trap stack-overflow 4
// native: address
// Endless recursion.
static int down(int n) { return down(n + 1) + 1; }

int main(void)
{
    return down(0);
}
