// expect: trap division-by-zero 9
// native: signal
// div() of the library by zero.
#include <stdlib.h>

int main(void)
{
    int zero = 0;
    div_t d = div(5, zero);
    return d.quot;
}
