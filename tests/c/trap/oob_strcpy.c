// expect: trap out-of-bounds 8
// native: address
// strcpy into a buffer that is too short.
#include <string.h>

static void name(char *to, const char *from)
{
    strcpy(to, from);
}

int main(void)
{
    char buf[8];
    name(buf, "fits");
    name(buf, "does not fit");
    return buf[0];
}
