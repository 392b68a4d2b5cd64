// expect: trap out-of-bounds 9
// native: address
// A string literal is read behind its terminating zero.
int main(void)
{
    const char *s = "abc";
    int n = 0;
    for (int i = 0; i < 5; i++)
        n += s[i];
    return n;
}
