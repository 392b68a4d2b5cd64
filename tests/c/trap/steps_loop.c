// expect: trap step-limit 7
// limit: --max-steps 10000
// A loop that never ends.
int main(void)
{
    volatile int n = 0;
    for (;;) n = n + 1;
}
