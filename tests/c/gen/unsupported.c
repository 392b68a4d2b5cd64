// What needs another process is named, not guessed: a run ends there, what would follow stays open, and the rest is decided.
// function: workers
// expect: covered 4 infeasible 0 unknown 4
// expect: unknown 15:13 true
// expect: unknown 15:13 false
// expect: unknown 17:13 true
// expect: unknown 17:13 false
#include <sys/types.h>
#include <unistd.h>

int workers(int count)
{
    if (count > 8) {
        pid_t child = fork();
        if (child == 0)
            return 1;
        if (child < 0)
            return 2;
        return 3;
    }
    if (count < 0)
        return -1;
    return 0;
}
