// What is nobody's business is read, and would be told by a result.
// case: read_shadow exit 0|1
// case: read_key exit 0|1
// case: read_canary exit 0|1
// case: read_environment exit 0|1
// case: read_memory_of_init exit 0|1
// case: list_home exit 0|1
// case: ask_environment exit 0|1
// case: open_random exit 0|1
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int first_byte(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return -1;
    int byte = fgetc(file);
    fclose(file);
    return byte;
}

int read_shadow(int x)
{
    if (x == 1)
        return first_byte("/etc/shadow");
    return 0;
}

int read_key(int x)
{
    if (x == 1)
        return first_byte(HOME "/.ssh/id_rsa");
    return 0;
}

int read_canary(int x)
{
    if (x == 1) {
        int byte = first_byte(SECRET);
        if (byte == 's')
            return 99;
        return byte;
    }
    return 0;
}

int read_environment(int x)
{
    if (x == 1)
        return first_byte("/proc/self/environ");
    return 0;
}

int read_memory_of_init(int x)
{
    if (x == 1)
        return open("/proc/1/mem", O_RDWR);
    return 0;
}

int list_home(int x)
{
    if (x == 1)
        return opendir(HOME) != NULL;
    return 0;
}

int ask_environment(int x)
{
    const char *token = getenv("COVENANT_HOSTILE");
    if (x == 1)
        return token == NULL ? -1 : (int)strlen(token);
    return 0;
}

int open_random(int x)
{
    if (x == 1)
        return first_byte("/dev/urandom");
    return 0;
}
