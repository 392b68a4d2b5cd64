// The environment is somebody else's.
// function: level
// reachable: 12:9 true
// reachable: 12:9 false
// reachable: 14:9 true
// reachable: 14:9 false
#include <stdlib.h>
int level(void);
int level(void)
{
    const char *text = getenv("LEVEL");
    if (text == NULL)
        return 0;
    if (text[0] == '9')
        return 9;
    return 1;
}
