// Control that reaches the end of main returns 0.
#include <stdio.h>
int main(void)
{
    if (puts("end of main") < 0)
        return 5;
}
