// expect: trap signed-overflow 11
// check: signed-overflow
// native: undefined
// An int grows past its largest value.
#include <limits.h>

int main(void)
{
    int n = INT_MAX - 2;
    for (int i = 0; i < 5; i++)
        n = n + 1;
    return n;
}
