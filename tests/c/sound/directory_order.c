// In which order a directory tells what is in it, the file system says.
// function: main
// options: --dir .=2
// reachable: 25:9 true
// reachable: 25:9 false
// reachable: 27:9 true
// reachable: 27:9 false
// reachable: 29:9 true
// reachable: 29:9 false
#include <dirent.h>
#include <string.h>

int main(void)
{
    char first[256] = "", last[256] = "";
    struct dirent *entry;
    DIR *list = opendir(".");
    int count = 0;
    while ((entry = readdir(list)) != NULL) {
        if (count++ == 0)
            strcpy(first, entry->d_name);
        strcpy(last, entry->d_name);
    }
    closedir(list);
    if (strcmp(first, ".") == 0)
        return 1;
    if (strcmp(first, last) < 0)
        return 2;
    if (count == 4 && last[0] == 'b')
        return 3;
    return 0;
}
