// expect: trap null-pointer|wild-pointer 8
// native: address
// A null pointer with a large offset.
int main(void)
{
    char *p = 0;
    p += 1000000;
    return *p;
}
