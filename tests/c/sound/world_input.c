// Somebody may type something.
// function: first_line
// reachable: 12:9 true
// reachable: 12:9 false
// reachable: 14:9 true
// reachable: 14:9 false
#include <stdio.h>
int first_line(void);
int first_line(void)
{
    char line[32];
    if (fgets(line, sizeof line, stdin) == NULL)
        return -1;
    if (line[0] == 'q')
        return 1;
    return 0;
}
