// expect: trap out-of-bounds 11
// native: address
// strcat fills the buffer step by step.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = calloc(1, 10);
    for (int i = 0; i < 4; i++)
        strcat(s, "abc");
    free(s);
    return 0;
}
