// There may be no room for one more handler.
// function: registers
// reachable: 10:9 true
// reachable: 10:9 false
#include <stdlib.h>
static void bye(void) {}
int registers(void);
int registers(void)
{
    if (atexit(bye) != 0)
        return 1;
    return 0;
}
