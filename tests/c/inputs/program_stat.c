// A whole program that looks at files before it reads them: whether they are there, their kind, size and mode.
// function: main
// options: --file log=40
// expect: covered 13 infeasible 0 unknown 5
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int size_behind(int fd)
{
    struct stat now;
    if (fstat(fd, &now) != 0)
        return -1;
    return (int)now.st_size;
}

int main(void)
{
    struct stat log;
    char first;
    int fd;
    if (stat("log", &log) != 0) {
        puts("no log");
        return 1;
    }
    if (!S_ISREG(log.st_mode))
        return 2;
    if (log.st_size == 0)
        return 3;
    if (log.st_size > 30)
        return 4;
    if (log.st_mode & S_IXUSR)
        return 5;
    fd = open("log", O_RDONLY);
    if (size_behind(fd) != log.st_size || read(fd, &first, 1) != 1) {
        close(fd);
        return 6;
    }
    close(fd);
    return first == '#' ? 7 : 0;
}
