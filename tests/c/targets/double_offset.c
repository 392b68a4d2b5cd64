// Where a double lies behind an int.
// function: behind
// infeasible on i386: 17:9 true
int behind(unsigned char x);
int behind(unsigned char x)
{
    union {
        struct {
            int tag;
            double value;
        } s;
        unsigned char bytes[16];
    } u;
    for (int i = 0; i < 16; i++)
        u.bytes[i] = 0;
    u.bytes[15] = x;
    if (u.s.value != 0)
        return 1;
    return 0;
}
