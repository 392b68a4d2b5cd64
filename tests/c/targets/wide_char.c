// The sign of wchar_t.
// function: below_zero
// infeasible on x86_64 i386 riscv32 riscv64: 11:16 true
// infeasible on arm cortex-m aarch64: 11:16 false
// infeasible on arm cortex-m aarch64: 12:9 true
int below_zero(int x);
int below_zero(int x)
{
    __WCHAR_TYPE__ wide = (__WCHAR_TYPE__)x;
    if (x == -7)
        return wide > 7 ? 2 : 3;
    if (wide < 0)
        return 1;
    return 0;
}
