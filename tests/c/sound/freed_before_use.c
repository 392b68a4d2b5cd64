// What was freed is there no more, whoever gave it: the access is a run-time error that some caller causes.
// function: late
// options: -c runtime-error
// reachable: 12:16 bad-access
#include <stdlib.h>
int late(int *p, int x);
int late(int *p, int x)
{
    if (!p)
        return -1;
    free(p);
    return x + *p;
}
