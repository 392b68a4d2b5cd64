// The sign of char.
// function: below
// infeasible on arm cortex-m aarch64 riscv32 riscv64: 7:9 true
int below(char c);
int below(char c)
{
    if (c < 0)
        return 1;
    return 0;
}
