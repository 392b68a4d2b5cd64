// The world of a test: an empty directory, no shell, a clock that stands still, signals to itself. Natively it is the same.
// function: world
// expect: covered 27 infeasible 0 unknown 6
// expect: unknown 30:16 false
// expect: unknown 33:20 false
// expect: unknown 34:16 true
// expect: unknown 40:9 true
// expect: unknown 43:20 false
// expect: unknown 66:16 false
// expect: defect signal 69:13
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static volatile int caught;

static void catch(int number)
{
    caught = number;
}

static int files(int how)
{
    FILE *file = fopen("log", how > 0 ? "w" : "r");
    if (file == NULL)
        return errno == ENOENT ? 1 : 2;
    fputs("line\n", file);
    fclose(file);
    if (how > 1 && rename("log", "old") == 0)
        return remove("log") == 0 ? 3 : remove("old") + 4;
    return remove("log") + 5;
}

static int folders(int how)
{
    if (mkdir("folder", 0700) != 0)
        return -1;
    int error = 0;
    if (how > 0 && remove("nothing/at/all") != 0)
        error = errno;
    return rmdir("folder") + error;
}

long world(int what, int how)
{
    switch (what) {
    case 1:
        return files(how);
    case 2:
        return folders(how);
    case 3:
        if (how > 0)
            return system("exit 7");
        return system(NULL);
    case 4:
        return time(NULL) + getpid();
    case 5:
        signal(SIGUSR1, catch);
        kill(getpid(), SIGUSR1);
        if (how > 0)
            return caught;
        return setenv("COLOUR", "red", 1) == 0 ? getenv("COLOUR")[2] : 0;
    case 6:
        if (how == 5)
            raise(SIGTERM);
        return sleep(1000);
    default:
        return remove("/var/lib/of/somebody/else");
    }
}
