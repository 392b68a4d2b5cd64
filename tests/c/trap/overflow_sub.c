// expect: trap signed-overflow 9
// check: signed-overflow
// native: undefined
// A difference below the smallest int.
#include <limits.h>

static int compare(int a, int b)
{
    return a - b;
}

int main(void)
{
    return compare(3, 2) + compare(INT_MIN, 1);
}
