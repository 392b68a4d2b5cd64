// expect: trap out-of-bounds 10
// native: address
// Memory from alloca is written past its end.
#include <alloca.h>

int main(void)
{
    char *p = alloca(24);
    p[23] = 1;
    p[24] = 1;
    return p[23];
}
