// Functions for text.
// function: splits
// reachable: 15:9 true
// reachable: 15:9 false
// reachable: 18:9 true
// reachable: 18:9 false
// reachable: 20:9 true
// reachable: 20:9 false
// reachable: 22:9 true
// reachable: 22:9 false
#include <string.h>
int splits(const char *s);
int splits(const char *s)
{
    if (!s)
        return -1;
    const char *colon = strchr(s, ':');
    if (!colon)
        return 0;
    if (strcmp(colon + 1, "on") == 0)
        return 1;
    if (strncmp(s, "key", 3) == 0)
        return 2;
    return 3;
}
