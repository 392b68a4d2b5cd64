// A handler runs when the function under test ends the program.
// function: leave
// reachable: 12:9 true
// reachable: 12:9 false
// reachable: 22:9 true
// reachable: 22:9 false
#include <stdlib.h>
static int code;

static void last_words(void)
{
    if (code > 10)
        code = 0;
}

void leave(int status);
void leave(int status)
{
    code = status;
    if (atexit(last_words) != 0)
        return;
    if (status > 3)
        exit(1);
}
