// What went wrong is told by the system.
// function: asks
// reachable: 13:9 true
// reachable: 13:9 false
// reachable: 17:9 true
// reachable: 17:9 false
#include <errno.h>
#include <stdio.h>
int asks(void);
int asks(void)
{
    FILE *file = fopen("data", "r");
    if (file != NULL) {
        fclose(file);
        return 0;
    }
    if (errno == EACCES)
        return 1;
    return 2;
}
