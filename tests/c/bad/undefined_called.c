#include <stdio.h>

int elsewhere(int);

int main(void)
{
    puts("before the call");
    return elsewhere(1);
}
