// _Exit skips the atexit handlers.
#include <stdio.h>
#include <stdlib.h>
static void never(void) { puts("never"); fflush(stdout); }
int main(void)
{
    atexit(never);
    puts("before");
    fflush(stdout);
    _Exit(21);
}
