// A single bit that is shifted round stays a single bit.
// function: rotate
// expect: covered 6 infeasible 2 unknown 0
// expect: infeasible 16:13 true
// expect: infeasible 19:9 true
int next(void);

int rotate(void);
int rotate(void)
{
    unsigned char bit = 1;
    while (next() != 0) {
        bit = (unsigned char)(bit << 1);
        if (bit == 0)
            bit = 1;
        if ((bit & (bit - 1)) != 0)
            return -1;
    }
    if (bit == 0)
        return -2;
    return bit == 8;
}
