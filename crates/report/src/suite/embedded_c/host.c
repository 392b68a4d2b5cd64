/* The suite on a developer's machine: words go to standard output, and the exit status says whether a test failed. */
#include <stdio.h>

void covenant_putchar(int c);
int covenant_run(void);

void covenant_putchar(int c)
{
    putchar(c);
}

int main(void)
{
    return covenant_run() != 0;
}
