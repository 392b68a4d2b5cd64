// expect: trap write-to-constant 11
// native: address
// memset over a constant table.
#include <string.h>

static const char table[16] = "constant";

int main(void)
{
    char *p = (char *)table;
    memset(p, 0, 4);
    return table[0];
}
