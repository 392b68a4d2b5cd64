// Is it a directory, a file, or nothing? Names are the program's own; what is there under them is a choice.
// function: main
// expect: covered 14 infeasible 0 unknown 0
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    struct stat seen;
    char byte;
    int fd;
    if (stat("cache", &seen) != 0) {
        if (mkdir("cache", 0755) != 0)
            return 1;
        return rmdir("cache") == 0 ? 2 : 3;
    }
    if (S_ISDIR(seen.st_mode))
        return access("cache/index", F_OK) == 0 ? 4 : 5;
    fd = open("cache", O_RDONLY);
    if (read(fd, &byte, 1) != 1)
        return 6;
    return byte == 'c' ? 7 : 8;
}
