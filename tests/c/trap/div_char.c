// expect: trap division-by-zero 7
// native: undefined
// Small types are promoted before they are divided.
int main(void)
{
    unsigned char a = 200, b = 0;
    return a / b;
}
