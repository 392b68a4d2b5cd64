// expect: trap out-of-bounds 12
// native: address
// memcpy reads more than its source holds.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *from = calloc(1, 8);
    char to[16];
    size_t n = sizeof to;
    memcpy(to, from, n);
    free(from);
    return to[0];
}
