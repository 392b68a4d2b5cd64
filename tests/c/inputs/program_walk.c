// A whole program that walks through the directories below the one that it is started in, and adds up the bytes.
// function: main
// expect: covered 18 infeasible 0 unknown 0
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int walk(const char *folder, long *bytes)
{
    char path[64];
    struct dirent *entry;
    struct stat seen;
    int files = 0;
    DIR *list = opendir(folder);
    while ((entry = readdir(list)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_type == DT_DIR) {
            files += walk(path, bytes);
            continue;
        }
        lstat(path, &seen);
        *bytes += seen.st_size;
        files++;
    }
    closedir(list);
    return files;
}

int main(void)
{
    long bytes = 0;
    int files = walk(".", &bytes);
    if (files > 1 && bytes > 8)
        return 1;
    if (files == 1 && bytes == 0)
        return 2;
    return files == 0 ? 3 : 0;
}
