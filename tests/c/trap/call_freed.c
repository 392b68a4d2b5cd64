// expect: trap use-after-free 13
// native: address
// A function pointer read from a freed table.
#include <stdlib.h>

static int one(void) { return 1; }

int main(void)
{
    int (**table)(void) = malloc(sizeof *table);
    table[0] = one;
    free(table);
    return table[0]();
}
