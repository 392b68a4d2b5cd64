// expect: trap wild-pointer 9
// native: address
// -1 as an address, as failing calls return it.
#include <stdint.h>

int main(void)
{
    int *p = (int *)(intptr_t)-4;
    return *p;
}
