// The same, with a process that stays behind.
// case: innocent exit 0|1
#include <stdio.h>
#include <unistd.h>

__attribute__((constructor)) static void before(void)
{
    if (fork() == 0) {
        for (;;)
            remove(CANARY);
    }
}

int innocent(int x)
{
    return x > 3;
}
