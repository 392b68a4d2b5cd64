// expect: trap out-of-bounds 14
// native: address
// The terminating zero of a copied string has no room.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *s = "exact";
    size_t n = strlen(s);
    char *p = malloc(n);
    for (size_t i = 0; i < n; i++)
        p[i] = s[i];
    p[n] = 0;
    free(p);
    return 0;
}
