// A char that is compared with the end of a file.
// function: next
// infeasible on arm cortex-m aarch64 riscv32 riscv64: 8:9 true
int next(int from);
int next(int from)
{
    char c = (char)from;
    if (c == -1)
        return 1;
    return 0;
}
