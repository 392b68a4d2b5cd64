// expect: trap out-of-bounds 11
// native: address
// memcpy writes more than its target holds.
#include <string.h>

int main(void)
{
    char from[32] = "a longer text than the target";
    char to[16];
    size_t n = strlen(from);
    memcpy(to, from, n);
    return to[0];
}
