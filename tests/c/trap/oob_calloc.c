// expect: trap out-of-bounds 11
// native: address
// An index computed from data leaves the table.
#include <stdlib.h>

int main(void)
{
    short *t = calloc(26, sizeof *t);
    const char *s = "az{";
    for (; *s; s++)
        t[*s - 'a']++;
    free(t);
    return 0;
}
