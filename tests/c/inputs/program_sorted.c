// A whole program that lists a directory in the order of names, whatever the order of the file system is: one that it is given, or its own.
// function: main
// expect: covered 12 infeasible 0 unknown 0
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int plain(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
    struct dirent **list;
    int n, i;
    n = scandir(argc > 1 ? argv[1] : ".", &list, plain, alphasort);
    if (n < 0)
        return 1;
    for (i = 0; i < n; i++)
        puts(list[i]->d_name);
    if (n >= 2 && strcmp(list[0]->d_name, "b") == 0)
        return 2;
    if (n == 3)
        return 3;
    return 0;
}
