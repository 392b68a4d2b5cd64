// Only the low eight bits of the status remain.
#include <stdio.h>
int main(void)
{
    puts("status 300 is 44");
    return 300;
}
