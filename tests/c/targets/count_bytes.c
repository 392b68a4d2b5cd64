// How many bytes of a long can be set.
// function: bytes
// infeasible on i386 arm cortex-m riscv32: 11:9 true
int bytes(unsigned long x);
int bytes(unsigned long x)
{
    int n = 0;
    for (unsigned i = 0; i < sizeof x; i++)
        if (x >> (8 * i) & 0xff)
            n++;
    if (n > 4)
        return 1;
    return 0;
}
