#include <stdio.h>

int main(void)
{
    for (;;)
        puts("more and more text for a reader that has gone away");
}
