// Nobody says what is in new memory.
// function: looks
// reachable: 12:9 true
// reachable: 12:9 false
// reachable: 14:9 true
// reachable: 14:9 false
#include <stdlib.h>
int looks(void);
int looks(void)
{
    unsigned char *bytes = malloc(4);
    if (!bytes)
        return -1;
    if (bytes[1] == 7)
        return 1;
    return 0;
}
