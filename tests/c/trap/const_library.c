// expect: trap write-to-constant 9
// native: address
// The library writes into a string literal.
#include <string.h>

int main(void)
{
    char *s = "abc";
    strcpy(s, "x");
    return 0;
}
