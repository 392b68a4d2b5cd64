// expect: trap division-by-zero 7
// native: undefined
// A remainder by zero.
int main(void)
{
    unsigned buckets = 0, h = 77;
    return (int)(h % buckets);
}
