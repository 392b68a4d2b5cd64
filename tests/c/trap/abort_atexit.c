// expect: trap abort 8
// native: signal
// abort in a handler that exit calls.
#include <stdlib.h>

static void handler(void)
{
    abort();
}

int main(void)
{
    atexit(handler);
    return 0;
}
