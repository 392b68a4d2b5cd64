// A whole program that counts what is in a directory: hidden files, directories, sources, long names and large files.
// function: main
// options: --dir box=2
// expect: covered 30 infeasible 0 unknown 0
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct counts {
    int hidden, folders, sources, large;
};

static int is_source(const char *name)
{
    size_t length = strlen(name);
    return length > 2 && strcmp(name + length - 2, ".c") == 0;
}

static int count(const char *folder, struct counts *counts)
{
    char path[64];
    struct dirent *entry;
    struct stat seen;
    DIR *list = opendir(folder);
    if (list == NULL)
        return -1;
    while ((entry = readdir(list)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (entry->d_name[0] == '.') {
            counts->hidden++;
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        stat(path, &seen);
        if (S_ISDIR(seen.st_mode))
            counts->folders++;
        else if (is_source(entry->d_name))
            counts->sources++;
        else if (seen.st_size > 4)
            counts->large++;
    }
    closedir(list);
    return 0;
}

int main(void)
{
    struct counts counts = {0, 0, 0, 0};
    if (count("box", &counts) != 0)
        return 1;
    if (counts.sources > 1)
        puts("sources");
    if (counts.hidden > 0 && counts.folders > 0)
        puts("a project");
    return counts.large > 0 ? 3 : 0;
}
