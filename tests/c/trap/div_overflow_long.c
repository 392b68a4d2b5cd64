// expect: trap division-overflow 9
// native: undefined
// The smallest long divided by minus one.
#include <limits.h>

int main(void)
{
    long a = LONG_MIN, b = -1;
    return (int)(a / b);
}
