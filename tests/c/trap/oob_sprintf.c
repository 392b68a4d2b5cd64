// expect: trap out-of-bounds 10
// native: address
// sprintf writes past its buffer.
#include <stdio.h>

int main(void)
{
    char buf[6];
    int n = 123456;
    sprintf(buf, "%d", n);
    return buf[0];
}
