// expect: trap wild-pointer 10
// native: address
// A pointer read from bytes that never were one.
#include <string.h>

int main(void)
{
    char *p;
    memcpy(&p, "notaptr", sizeof p);
    return *p;
}
