// Is it a directory, a file, or nothing? The names are the program's own; what is there under them is a choice.
// function: main
// expect: covered 10 infeasible 0 unknown 0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int first_byte(const char *name)
{
    unsigned char byte;
    int fd = open(name, O_RDONLY);
    long got = read(fd, &byte, 1);
    if (got < 0)
        return -errno;
    return got == 0 ? -1 : byte;
}

int main(void)
{
    struct stat seen;
    int byte;
    if (stat("cache", &seen) != 0)
        return 1;
    byte = first_byte("cache");
    if (S_ISDIR(seen.st_mode))
        return rmdir("cache") * 100 + (byte + EISDIR);
    return byte == 'c' ? 3 : 4;
}
