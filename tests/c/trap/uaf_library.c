// expect: trap use-after-free 11
// native: address
// A freed string is given to the library.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = strdup("gone soon");
    free(s);
    return (int)strlen(s);
}
