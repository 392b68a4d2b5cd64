// The sign of a bit-field of char.
// function: low
// infeasible on arm cortex-m aarch64 riscv32 riscv64: 13:9 true
struct flags {
    char level : 4;
};

int low(int x);
int low(int x)
{
    struct flags flags = {0};
    flags.level = (char)(x & 15);
    if (flags.level < 0)
        return 1;
    return 0;
}
