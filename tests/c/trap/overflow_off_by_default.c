// expect: trap signed-overflow 16
// check: signed-overflow
// native: undefined
// Unsigned arithmetic and narrowing never trap, the signed sum at the end does.
#include <limits.h>

int main(void)
{
    unsigned u = UINT_MAX;
    u += 5;
    unsigned char c = 255;
    c++;
    signed char s = 127;
    s++;
    int n = INT_MAX;
    n += u + c == 4 && s < 0;
    return n;
}
