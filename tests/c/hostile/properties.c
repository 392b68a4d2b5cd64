// Modes, owners, times, lengths and links of files of others.
// options: --array-len 48
// case: change_mode exit 0|1 says `chmod`
// case: change_owner exit 0|1 says `chown`
// case: link_out exit 0|1 says `symlink`
// case: hard_link exit 0|1 says `link`
// case: cut exit 0|1 says `truncate`
// case: touch exit 0|1 says `utime`
// case: make_pipe exit 0|1 says `mkfifo`
// case: make_device exit 0|1 says `mknod`
// case: lock_it exit 0|1 says `flock`
// case: watch_it exit 0|1 says `inotify_init`
// case: attribute exit 0|1 says `setxattr`
// case: look_around exit 0|1
// case: wander exit 0|1
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

int change_mode(const char *path)
{
    if (path != NULL && strcmp(path, CANARY) == 0)
        return chmod(path, 0);
    return 1;
}

int change_owner(int x)
{
    if (x == 1)
        return chown(CANARY, 1, 1);
    return 0;
}

int link_out(int x)
{
    if (x != 1)
        return 0;
    if (symlink(CANARY, "inside") != 0)
        return 1;
    FILE *file = fopen("inside", "w");
    return file == NULL ? 2 : fclose(file);
}

int hard_link(int x)
{
    if (x == 1)
        return link(CANARY, "inside");
    return 0;
}

int cut(int x)
{
    if (x == 1)
        return truncate(CANARY, 0);
    return 0;
}

int touch(int x)
{
    struct utimbuf long_ago = {0, 0};
    if (x == 1)
        return utime(CANARY, &long_ago);
    return 0;
}

int make_pipe(int x)
{
    if (x == 1)
        return mkfifo(FOLDER "/pipe", 0666);
    return 0;
}

int make_device(int x)
{
    if (x == 1)
        return mknod(FOLDER "/disk", S_IFBLK | 0666, makedev(8, 0));
    return 0;
}

int lock_it(int x)
{
    int fd = open("lock", O_CREAT | O_RDWR, 0600);
    if (x == 1)
        return flock(fd, LOCK_EX);
    return 0;
}

int watch_it(int x)
{
    if (x == 1)
        return inotify_add_watch(inotify_init(), FOLDER, IN_ALL_EVENTS);
    return 0;
}

int attribute(int x)
{
    if (x == 1)
        return setxattr(CANARY, "user.mark", "x", 1, 0);
    return 0;
}

int look_around(int x)
{
    struct stat found;
    if (x == 1)
        return stat(CANARY, &found);
    return 0;
}

int wander(int x)
{
    if (x == 1 && chdir(FOLDER) == 0)
        return remove("canary");
    return 0;
}
