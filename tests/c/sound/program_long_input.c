// More input than is tried is no less possible.
// function: main
// reachable: 12:9 true
// reachable: 12:9 false
#include <stdio.h>

int main(void)
{
    int count = 0;
    while (getchar() != EOF)
        count++;
    if (count > 5000)
        return 1;
    return 0;
}
