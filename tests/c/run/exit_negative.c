// A negative status; text without a final newline is still written.
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    printf("no newline at the end");
    exit(-2);
}
