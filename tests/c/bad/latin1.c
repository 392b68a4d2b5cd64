#include <stdio.h>

int main(void)
{
    puts("café üß");
    return 3;
}
