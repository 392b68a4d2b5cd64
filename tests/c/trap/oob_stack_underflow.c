// expect: trap out-of-bounds 9
// native: address
// An element before the start of an array on the stack.
int main(void)
{
    int a[8] = {0};
    int *p = a + 3;
    p -= 4;
    return *p;
}
