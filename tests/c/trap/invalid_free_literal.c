// expect: trap invalid-free 9
// native: address
// free of a string literal.
#include <stdlib.h>

int main(void)
{
    char *s = "literal";
    free(s);
    return 0;
}
