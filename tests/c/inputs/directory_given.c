// A directory that the caller has opened: nothing is known of it, and it is no mistake to look into it.
// function: count
// expect: covered 2 infeasible 0 unknown 4
#include <dirent.h>
#include <stddef.h>
int count(DIR *list);
int count(DIR *list)
{
    struct dirent *entry;
    int found = 0;
    if (!list)
        return -1;
    while ((entry = readdir(list)) != NULL)
        if (entry->d_name[0] != '.')
            found++;
    closedir(list);
    return found;
}
