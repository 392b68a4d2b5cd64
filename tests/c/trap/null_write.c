// expect: trap null-pointer 7
// native: address
// A null pointer is written.
int main(void)
{
    int *p = 0;
    *p = 1;
    return 0;
}
