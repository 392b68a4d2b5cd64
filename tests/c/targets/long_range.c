// How far a long reaches.
// function: far
// infeasible on i386 arm cortex-m riscv32: 7:9 true
int far(long x);
int far(long x)
{
    if (x / 65536 > 65535)
        return 1;
    return 0;
}
