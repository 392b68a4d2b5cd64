// What the program changes in a directory that is an input: files get longer and other names, and are removed, by names of the test's own.
// function: main
// options: --dir box=2 --file box=3
// reachable: 29:9 true
// reachable: 29:9 false
// reachable: 44:9 true
// reachable: 44:9 false
// reachable: 66:17 true
// reachable: 66:17 false
// reachable: 78:9 true
// reachable: 78:9 false
// reachable: 60:13 true
// reachable: 60:13 false
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    struct stat seen, again;
    struct dirent *entry;
    char path[80];
    int n = 0;
    FILE *f = fopen("box", "r");
    if (f) {
        if (fgetc(f) == EOF && ferror(f))
            n += errno == EISDIR ? 1 : 2;
        fclose(f);
    }
    int fd = open("box", O_RDONLY | O_DIRECTORY);
    if (fd < 0)
        return errno == ENOENT ? 3 : errno == ENOTDIR ? 4 : 5;
    if (fstat(fd, &seen) != 0 || !S_ISDIR(seen.st_mode))
        return 6;
    if (stat("box/", &again) != 0 || seen.st_ino != again.st_ino || seen.st_dev != again.st_dev)
        return 7;
    close(fd);
    if (open("box", O_WRONLY) >= 0)
        return 8;
    if (rmdir("box") == 0)
        return 9;
    if (errno != ENOTEMPTY)
        return 10;
    DIR *d = opendir("./box");
    if (!d)
        return 11;
    while ((entry = readdir(d)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        strcpy(path, "box//");
        strcat(path, entry->d_name);
        if (stat(path, &seen) != 0)
            return 12;
        if (seen.st_ino != entry->d_ino)
            return 13;
        if (entry->d_type == DT_REG) {
            FILE *g = fopen(path, "a+");
            fputs("x", g);
            fclose(g);
            if (stat(path, &again) != 0 || again.st_size != seen.st_size + 1)
                return 14;
            if (entry->d_name[0] == 'k') {
                if (rename(path, "kept") != 0)
                    return 15;
                n += 8;
            } else if (unlink(path) != 0)
                return 16;
        } else if (rmdir(path) != 0)
            return 17;
        n += 16;
    }
    rewinddir(d);
    closedir(d);
    if (n > 40)
        puts("much");
    if (rmdir("box") != 0)
        return 18;
    return access("kept", F_OK) == 0 ? 19 : 0;
}
