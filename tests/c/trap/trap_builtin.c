// expect: trap trap 7
// native: signal
// __builtin_trap.
static void never(int n)
{
    if (n > 2)
        __builtin_trap();
}

int main(void)
{
    for (int i = 0; i < 5; i++)
        never(i);
    return 0;
}
