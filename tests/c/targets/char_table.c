// Text as an index: bytes above 127 are before a table or behind its half.
// function: place
// infeasible on x86_64 i386: 9:9 true
// infeasible on arm cortex-m aarch64 riscv32 riscv64: 11:9 true
int place(char c);
int place(char c)
{
    int at = c + 128;
    if (at >= 256)
        return 1;
    if (at < 128)
        return 2;
    return 0;
}
