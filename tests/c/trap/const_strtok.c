// expect: trap write-to-constant 9
// native: address
// strtok writes into its argument.
#include <string.h>

int main(void)
{
    char *s = "a,b,c";
    char *t = strtok(s, ",");
    return t[0];
}
