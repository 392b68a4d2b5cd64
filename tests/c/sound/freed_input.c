// A caller may give something that is to be freed.
// function: drops
// reachable: 10:9 true
// reachable: 10:9 false
#include <stdlib.h>
int drops(int *p, int x);
int drops(int *p, int x)
{
    free(p);
    if (x == 3)
        return 1;
    return 0;
}
