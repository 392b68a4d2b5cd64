// Labels that a char may never have.
// function: kind
// infeasible on arm cortex-m aarch64 riscv32 riscv64: 10:5 case -5
int kind(char c);
int kind(char c)
{
    switch (c) {
    case 'a':
        return 1;
    case -5:
        return 2;
    default:
        return 3;
    }
}
