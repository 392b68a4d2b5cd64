// expect: trap write-to-constant 7
// native: address
// A string literal is written.
int main(void)
{
    char *s = "read only";
    s[0] = 'R';
    return 0;
}
