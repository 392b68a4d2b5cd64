// An unsigned int beside a negative long: which of them is converted depends on their widths.
// function: above
// infeasible on x86_64 aarch64 riscv64: 9:9 false
// infeasible on i386 arm cortex-m riscv32: 9:9 true
int above(unsigned x);
int above(unsigned x)
{
    long minus = -1;
    if (x > minus)
        return 1;
    return 0;
}
