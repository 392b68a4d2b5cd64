// expect: trap signed-overflow 9
// check: signed-overflow
// native: undefined
// A product of two ints.
int main(void)
{
    int h = 1;
    for (int i = 0; i < 20; i++)
        h *= 31;
    return h;
}
