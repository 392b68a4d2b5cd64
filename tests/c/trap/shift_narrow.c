// expect: trap bad-shift 8
// check: shift
// native: undefined
// An int is shifted where a long was meant.
int main(void)
{
    int page = 33;
    long mask = 1 << page;
    return mask != 0;
}
