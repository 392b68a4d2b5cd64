// expect: trap stack-overflow 4
// native: address
// Endless mutual recursion, all on one line.
static int b(int n); static int a(int n) { return b(n) + 1; } static int b(int n) { return a(n) + 1; }

int main(void)
{
    return a(1);
}
