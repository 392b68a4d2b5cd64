// expect: trap wild-pointer 12
// native: signal
// A corrupted pointer is written through.
#include <stdint.h>

int main(void)
{
    int x = 0;
    uintptr_t bits = (uintptr_t)&x;
    bits ^= 0x5a00000000000000;
    int *p = (int *)bits;
    *p = 1;
    return x;
}
