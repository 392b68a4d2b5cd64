// A clock goes on.
// function: is_late
// reachable: 13:9 true
// reachable: 13:9 false
// reachable: 15:9 true
// reachable: 15:9 false
#include <time.h>
int is_late(void);
int is_late(void)
{
    time_t begin = time(NULL);
    time_t end = time(NULL);
    if (end > begin)
        return 1;
    if (begin == (time_t)-1)
        return 2;
    return 0;
}
