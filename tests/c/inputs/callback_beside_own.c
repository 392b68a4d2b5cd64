// The program has a function of that type, and the caller may have another.
// function: choose
// expect: covered 8 infeasible 0 unknown 0
typedef unsigned char (*filter)(unsigned char);

static unsigned char lower(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? (unsigned char)(c + 32) : c;
}

int choose(filter f, unsigned char c);
int choose(filter f, unsigned char c)
{
    if (f == 0)
        f = lower;
    return f(c) == 'Q' ? 1 : 0;
}
