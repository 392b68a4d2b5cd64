// The bits of a number, from the lowest: each one looked at is a one or a zero.
// function: ones
// expect: covered 5 infeasible 1 unknown 0
// expect: infeasible 19:9 true
int ones(unsigned long long v);
int ones(unsigned long long v)
{
    unsigned looked = 0;
    unsigned set = 0;
    unsigned clear = 0;
    while (v != 0) {
        if (v & 1)
            set++;
        else
            clear++;
        v >>= 1;
        looked++;
    }
    if (set + clear != looked)
        return -1;
    return set == 5;
}
