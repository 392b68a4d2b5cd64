// args: 1 -2 0x10 007 99999999999
// Numbers from the command line; main with the environment as third parameter.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char *argv[], char *envp[])
{
    long sum = 0;
    while (--argc > 0)
        sum += strtol(*++argv, NULL, 0);
    printf("%ld %d\n", sum, envp != NULL);
    return (int)(sum % 100);
}
