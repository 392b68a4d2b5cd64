// expect: trap null-pointer 9
// native: address
// The library is given a null string.
#include <string.h>

int main(void)
{
    const char *s = 0;
    size_t n = strlen(s);
    return (int)n;
}
