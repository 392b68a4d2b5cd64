// expect: trap abort 9
// native: signal
// The program gives up.
#include <stdlib.h>

static void check(int ok)
{
    if (!ok)
        abort();
}

int main(void)
{
    check(1);
    check(0);
    return 0;
}
