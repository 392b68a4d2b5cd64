// Output may fail.
// function: tell
// reachable: 11:9 true
// reachable: 11:9 false
// reachable: 13:9 true
// reachable: 13:9 false
#include <stdio.h>
int tell(int x);
int tell(int x)
{
    if (printf("%d\n", x) < 0)
        return 1;
    if (fflush(stdout) == EOF)
        return 2;
    return 0;
}
