// Sums, products, remainders and shifts of the inputs, each compared with something.
// function: arithmetic
// options: --assume x>=-1000 --assume x<=1000 --assume y>=-1000 --assume y<=1000
// expect: covered 15 infeasible 1 unknown 0

int arithmetic(int x, int y, unsigned bits);
int arithmetic(int x, int y, unsigned bits)
{
    int kind = 0;
    if (3 * x + 5 * y == 71)
        kind |= 1;
    if (x != 0 && y % x == 3)
        kind |= 2;
    if ((bits >> 4 & 0xF) == 0xA)
        kind |= 4;
    if ((bits ^ bits << 3) == 0x1234)
        kind |= 8;
    if (x * x == 144 && y > x)
        kind |= 16;
    if (kind == 31)
        return -1;
    return kind;
}
