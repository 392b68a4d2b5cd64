// Only the sign of what strcmp, strncmp and memcmp return is the same in every library.
// function: compares
// reachable: 18:9 true
// reachable: 18:9 false
// reachable: 20:9 true
// reachable: 20:9 false
// reachable: 24:9 true
// reachable: 24:9 false
// reachable: 26:9 true
// reachable: 26:9 false
#include <string.h>
int compares(signed char first, const char *name);
int compares(signed char first, const char *name)
{
    char text[2] = {first == 3 ? 'd' : 'a', 0};
    if (!name)
        return 0;
    if (strcmp(text, "cd") == 1)
        return 1;
    if (memcmp(text, "cdef", 2) == -2)
        return 2;
    int order = strncmp(text, "ad", 2);
    order = order < 0 ? order : 3;
    if (order == -100)
        return 3;
    if (strcmp(name, "on") > 5)
        return 4;
    return 0;
}
