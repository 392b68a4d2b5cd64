// All ones as an unsigned long, without those of an int.
// function: upper
// infeasible on x86_64 aarch64 riscv64: 9:9 false
// infeasible on i386 arm cortex-m riscv32: 9:9 true
int upper(unsigned x);
int upper(unsigned x)
{
    unsigned long mask = ~(unsigned long)x;
    if (mask > 0xffffffffUL)
        return 1;
    return 0;
}
