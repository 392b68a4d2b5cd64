// What a function prints of errno is what the code left there, and not what another test did.
// function: open_log
// expect: covered 4 infeasible 0 unknown 0
#include <stdio.h>

int open_log(const char *name, int level)
{
    if (name == NULL)
        return -1;
    if (level > 3)
        return remove("no such file");
    perror("log");
    return level;
}
