// check: signed-overflow,shift,array-bounds
// Handlers set with signal run when the program raises the signal.
#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t seen;
static void on_usr(int sig) { seen += sig == SIGUSR1 ? 1 : 100; }
static void other(int sig) { (void)sig; seen += 1000; }

int main(void)
{
    printf("%d\n", signal(SIGUSR1, on_usr) == SIG_DFL);
    raise(SIGUSR1);
    raise(SIGUSR1);
    printf("%d\n", (int)seen);
    printf("%d\n", signal(SIGUSR1, other) == on_usr);
    raise(SIGUSR1);
    printf("%d\n", (int)seen);
    signal(SIGTERM, SIG_IGN);
    printf("%d\n", raise(SIGTERM));
    printf("%d\n", signal(SIGTERM, SIG_DFL) == SIG_IGN);
    return 0;
}
