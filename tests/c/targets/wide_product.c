// A product of two ints in an unsigned long.
// function: lost
// infeasible on x86_64 i386 arm cortex-m aarch64 riscv32 riscv64: 9:9 true
// infeasible on x86_64 aarch64 riscv64: 11:43 true
int lost(unsigned a, unsigned b);
int lost(unsigned a, unsigned b)
{
    unsigned long product = (unsigned long)(a & 0xffff0) * (b & 0xffff0);
    if (product % 16)
        return 2;
    if ((a & 0xffff0) && (b & 0xffff0) && product == 0)
        return 1;
    return 0;
}
