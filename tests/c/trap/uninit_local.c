// expect: trap uninitialised 14
// check: uninitialised
// native: memory
// A local is used that one path never sets.
#include <stdio.h>

static int sign(int n)
{
    int r;
    if (n > 0)
        r = 1;
    else if (n < 0)
        r = -1;
    if (r > 0)
        puts("positive");
    return 0;
}

int main(void)
{
    sign(5);
    return sign(0);
}
