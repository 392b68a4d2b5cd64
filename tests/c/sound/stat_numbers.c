// What `stat` says of owners, times and numbers of files is the system's: nothing of it is impossible, and two looks at one file give one
// number.
// function: main
// options: --file a=2 --file b=2
// reachable: 27:9 true
// reachable: 27:9 false
// reachable: 29:9 false
// reachable: 31:9 true
// reachable: 31:9 false
// reachable: 33:9 true
// reachable: 33:9 false
// reachable: 35:9 true
// reachable: 35:9 false
// reachable: 37:9 true
// reachable: 37:9 false
// reachable: 39:9 true
// reachable: 39:9 false
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    struct stat a, again, b;
    int found = 0;
    if (stat("a", &a) != 0 || stat("b", &b) != 0 || stat("./a", &again) != 0)
        return 1;
    if (a.st_ino != again.st_ino || a.st_dev != again.st_dev)
        found = 1;
    if (a.st_uid == getuid())
        found += 2;
    if (a.st_mtime == b.st_mtime)
        found += 4;
    if (b.st_mtime > time(NULL))
        found += 8;
    if (a.st_ino < b.st_ino)
        found += 16;
    if (a.st_ino % 2 == 0)
        found += 32;
    return found;
}
