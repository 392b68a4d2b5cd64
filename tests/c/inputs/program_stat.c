// A whole program that looks at a file before it reads it: whether it is there, its size by name and by descriptor, its mode.
// function: main
// options: --file log=40
// expect: covered 10 infeasible 0 unknown 0
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static long size_behind(int fd)
{
    struct stat now;
    fstat(fd, &now);
    return S_ISREG(now.st_mode) * (long)now.st_size;
}

int main(void)
{
    struct stat log;
    char first = 0;
    int fd;
    if (stat("log", &log) != 0)
        return 1;
    printf("%o %d\n", (unsigned)log.st_mode, (int)log.st_nlink);
    if (log.st_size == 0)
        return 3;
    fd = open("log", O_RDONLY);
    if (size_behind(fd) > 30)
        return 4;
    read(fd, &first, 1);
    close(fd);
    if (first == '#' && log.st_size < 8)
        return 7;
    return 0;
}
