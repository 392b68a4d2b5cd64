// expect: trap out-of-bounds 7
// native: address
// A callee writes past the end of its caller's array.
static void fill(char *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = (char)i;
}

int main(void)
{
    char buf[10];
    fill(buf, 11);
    return buf[0];
}
