// expect: trap signed-overflow 10
// check: signed-overflow
// native: undefined
// The smallest int has no negative.
#include <limits.h>

int main(void)
{
    int n = INT_MIN;
    n = -n;
    return n;
}
