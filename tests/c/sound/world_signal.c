// A signal may come at any time, and its handler with it.
// function: waits
// reachable: 12:9 true
// reachable: 18:9 true
// reachable: 18:9 false
// reachable: 21:9 true
// reachable: 21:9 false
#include <signal.h>
static volatile sig_atomic_t seen;
static void handler(int number)
{
    if (number == SIGINT)
        seen = 1;
}
int waits(void);
int waits(void)
{
    if (signal(SIGINT, handler) == SIG_ERR)
        return 2;
    seen = 0;
    if (seen)
        return 1;
    return 0;
}
