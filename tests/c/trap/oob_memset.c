// expect: trap out-of-bounds 11
// native: address
// memset over the end of a global.
#include <string.h>

static int table[10];

int main(void)
{
    size_t n = sizeof table + 1;
    memset(table, 0, n);
    return table[0];
}
