// expect: trap out-of-bounds 10
// native: address
// stdin: a line of more than eight characters\n
// fgets is told a size that the buffer does not have.
#include <stdio.h>

int main(void)
{
    char buf[8];
    if (fgets(buf, 64, stdin))
        puts(buf);
    return 0;
}
