// How far two pointers are apart.
// function: set
// infeasible on i386 arm cortex-m riscv32: 14:9 true
int set(unsigned char x);
int set(unsigned char x)
{
    union {
        void *pointers[2];
        unsigned char bytes[16];
    } u;
    for (int i = 0; i < 16; i++)
        u.bytes[i] = 0;
    u.bytes[8] = x;
    if (u.pointers[1])
        return 1;
    return 0;
}
