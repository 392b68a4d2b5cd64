// expect: trap unreachable 9
// native: undefined
// __builtin_unreachable is reached.
static int kind(int n)
{
    switch (n) {
    case 1: return 10;
    case 2: return 20;
    default: __builtin_unreachable();
    }
}

int main(void)
{
    return kind(1) + kind(3);
}
