// Nobody says that there is a device, so that what is behind it is open, and the error is a contract.
// function: is_ready
// expect: covered 0 infeasible 0 unknown 2
// expect: contract 8:9 a device is at 0x40021000
int is_ready(void);
int is_ready(void)
{
    if (*(volatile unsigned *)0x40021000u & 1u)
        return 1;
    return 0;
}
