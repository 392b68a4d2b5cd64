// Names of files that reach the call which opens them by a parameter, a choice and a variable: each may be there, with any content.
// function: first_key
// options: -c branch
// expect: covered 14 infeasible 0 unknown 0
#include <stdio.h>

static const char *const fallback = "defaults.conf";

static int key_of(const char *name)
{
    FILE *file = fopen(name, "r");
    int byte;
    if (file == NULL)
        return -1;
    byte = fgetc(file);
    fclose(file);
    return byte;
}

int first_key(int local);
int first_key(int local)
{
    int key = key_of(local ? "local.conf" : "global.conf");
    if (key == 'l' && local)
        return 1;
    if (key != -1)
        return key == '#' ? 0 : 2;
    return key_of(fallback) == '!' ? 3 : 4;
}
