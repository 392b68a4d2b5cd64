// The upper half of an unsigned long.
// function: high
// infeasible on i386 arm cortex-m riscv32: 8:9 true
unsigned high(unsigned long x);
unsigned high(unsigned long x)
{
    unsigned long upper = x >> 16 >> 16;
    if (upper)
        return (unsigned)upper;
    return 0;
}
