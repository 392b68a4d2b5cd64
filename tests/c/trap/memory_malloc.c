// expect: trap memory-limit 8
// limit: --memory 50000000
// Allocation without end.
#include <stdlib.h>

int main(void)
{
    for (int i = 0; i < 1000; i++) { char *p = malloc(1000000); p[i] = 1; }
    return 0;
}
