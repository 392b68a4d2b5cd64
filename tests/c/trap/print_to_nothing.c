// expect: trap null-pointer 10
// native: signal
// No stream, and nothing that is printed at once.
#include <stdio.h>

int main(void)
{
    FILE *log = NULL;
    puts("before");
    fprintf(log, "%s", "more");
    return 0;
}
