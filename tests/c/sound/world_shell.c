// A shell may be there.
// function: run_it
// reachable: 11:9 true
// reachable: 11:9 false
// reachable: 13:9 true
// reachable: 13:9 false
#include <stdlib.h>
int run_it(void);
int run_it(void)
{
    if (system("true") == 0)
        return 0;
    if (system(NULL))
        return 1;
    return 2;
}
