#include <stdio.h>

int main(void)
{
    puts("lines end in CR LF");
    return 4;
}
