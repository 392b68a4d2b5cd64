// expect: trap division-overflow 8
// native: undefined
// The smallest int divided by minus one.
#include <limits.h>

static int ratio(int a, int b)
{
    return a / b;
}

int main(void)
{
    return ratio(10, -1) + ratio(INT_MIN, -1);
}
