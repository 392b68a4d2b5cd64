// Text is as long as it likes.
// function: is_long
// reachable: 11:9 true
// reachable: 11:9 false
// reachable: 13:9 true
// reachable: 13:9 false
#include <string.h>
int is_long(const char *s);
int is_long(const char *s)
{
    if (!s)
        return -1;
    if (strlen(s) > 20)
        return 1;
    return 0;
}
