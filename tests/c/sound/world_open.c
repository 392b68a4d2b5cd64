// A file may be there, and may not.
// function: load
// reachable: 12:9 true
// reachable: 12:9 false
// reachable: 15:9 true
// reachable: 15:9 false
#include <stdio.h>
int load(const char *name);
int load(const char *name)
{
    FILE *file = fopen("settings", "r");
    if (!file)
        return -1;
    int first = fgetc(file);
    if (first == 'x')
        first = 1;
    fclose(file);
    return first + (name != NULL);
}
