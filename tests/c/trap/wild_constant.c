// expect: trap wild-pointer 7
// native: address
// An address made out of a number.
int main(void)
{
    volatile int *p = (volatile int *)0x12345678;
    return *p;
}
