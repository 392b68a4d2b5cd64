// expect: trap division-overflow 9
// native: undefined
// The remainder of the smallest int by minus one.
#include <limits.h>

int main(void)
{
    int a = INT_MIN, b = -1;
    return a % b;
}
