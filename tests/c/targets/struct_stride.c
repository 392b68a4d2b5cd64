// How far two structs with a long long are apart.
// function: apart
// infeasible on x86_64 arm cortex-m aarch64 riscv32 riscv64: 17:9 true
int apart(int x);
int apart(int x)
{
    union {
        struct {
            long long value;
            int tag;
        } s[2];
        unsigned char bytes[32];
    } u;
    for (int i = 0; i < 32; i++)
        u.bytes[i] = 0;
    u.s[1].value = x & 0xff;
    if (u.bytes[12])
        return 1;
    return 0;
}
