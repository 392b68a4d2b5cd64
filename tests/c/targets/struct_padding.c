// Where a long long lies behind a char.
// function: tail
// infeasible on i386: 17:9 true
int tail(long long x);
int tail(long long x)
{
    union {
        struct {
            char tag;
            long long value;
        } s;
        unsigned char bytes[16];
    } u;
    for (int i = 0; i < 16; i++)
        u.bytes[i] = 0;
    u.s.value = x;
    if (u.bytes[12])
        return 1;
    return 0;
}
