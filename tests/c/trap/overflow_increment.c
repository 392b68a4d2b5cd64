// expect: trap signed-overflow 10
// check: signed-overflow
// native: undefined
// ++ on the largest long.
#include <limits.h>

int main(void)
{
    long n = LONG_MAX;
    n++;
    return n < 0;
}
