// expect: trap bad-shift 7
// check: shift
// native: undefined
// A shift by a negative amount.
static int scale(int v, int by)
{
    return v >> by;
}

int main(void)
{
    return scale(16, 2) + scale(16, -2);
}
