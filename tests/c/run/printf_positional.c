// The function printf: POSIX positional arguments.
#include <stdio.h>
int main(void)
{
    printf("%2$s %1$s %2$s\n", "one", "two");
    printf("%3$d %1$c %2$.2f\n", 'c', 1.5, 42);
    printf("%2$*1$d|\n", 8, 55);
    return 0;
}
