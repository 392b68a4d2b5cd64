// expect: trap null-pointer 9
// native: address
// strcpy into a null pointer.
#include <string.h>

int main(void)
{
    char *p = 0;
    strcpy(p, "text");
    return 0;
}
