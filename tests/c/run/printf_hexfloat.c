// The function printf: the a conversion.
#include <stdio.h>
int main(void)
{
    printf("%a %a %a %a\n", 1.0, -0.5, 0.1, 0.0);
    printf("%.2a %.0a %A %20a\n", 3.14159, 1.999, 255.5, 2.0);
    printf("%a\n", 4.9e-324);
    return 0;
}
