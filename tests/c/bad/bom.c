#include <stdio.h>

int main(void)
{
    puts("byte order mark");
    return 5;
}
