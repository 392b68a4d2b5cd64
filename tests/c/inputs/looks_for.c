// Code that opens files, by a name of its own and by one that it is given: both may be there, with any content.
// function: load
// options: -c branch
// expect: covered 12 infeasible 0 unknown 0
// expect: contract 17:18 path is not NULL
#include <stdio.h>

int load(const char *path);
int load(const char *path)
{
    int key = 'k', byte;
    FILE *settings = fopen("load.conf", "r");
    if (settings) {
        key = fgetc(settings);
        fclose(settings);
    }
    FILE *file = fopen(path, "rb");
    if (!file)
        return key == 'x' ? -2 : -1;
    byte = fgetc(file);
    fclose(file);
    if (byte == EOF)
        return 0;
    return (byte ^ key) == 0x21 ? 1 : byte == 'Q' ? 2 : 3;
}
