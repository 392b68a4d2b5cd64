// expect: trap bad-shift 9
// check: shift
// native: undefined
// A shift by the width of the type.
int main(void)
{
    unsigned v = 1;
    for (int i = 30; i < 40; i++)
        v = 1u << i;
    return (int)v;
}
