// The sign of wchar_t.
// function: below_zero
// infeasible on arm cortex-m: 8:9 true
int below_zero(int x);
int below_zero(int x)
{
    __WCHAR_TYPE__ wide = (__WCHAR_TYPE__)x;
    if (wide < 0)
        return 1;
    return 0;
}
