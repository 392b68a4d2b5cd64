// Whether a long is more than an int.
// function: fits
// infeasible on i386 arm cortex-m riscv32: 8:9 true
int fits(long x);
int fits(long x)
{
    int y = (int)x;
    if (y != x)
        return 0;
    return 1;
}
