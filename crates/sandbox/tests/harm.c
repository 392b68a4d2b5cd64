/* One harmful thing, by name. Prints "done" if it worked. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

static void fail(const char *format, ...)
{
    (void)format;
}

#include "filters.h"

static int write_to(const char *path, int flags)
{
    int fd = open(path, flags, 0666);
    return fd < 0 ? -1 : write(fd, "harm", 4) == 4 ? 0 : -1;
}

static int read_from(const char *path)
{
    char text[8];
    int fd = open(path, O_RDONLY);
    return fd < 0 ? -1 : read(fd, text, sizeof text) > 0 ? 0 : -1;
}

static int connect_out(void)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(9) };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    /* Who is refused reached somebody. */
    return fd < 0 ? -1 : connect(fd, (struct sockaddr *)&address, sizeof address) == 0 || errno == ECONNREFUSED ? 0 : -1;
}

static int run_shell(void)
{
    if (fork() == 0) {
        execl("/bin/sh", "sh", "-c", "echo done", (char *)0);
        _exit(1);
    }
    sleep(1);
    return -1;
}

int main(int argc, char **argv)
{
    const char *what = argv[1], *path = argv[2];
    int result = -1;
    read_filters(getenv("FILTERS"));
    put_on_filters();
    if (!strcmp(what, "write-here")) result = write_to(path, O_WRONLY | O_CREAT);
    else if (!strcmp(what, "remove")) result = remove(path);
    else if (!strcmp(what, "overwrite")) result = write_to(path, O_WRONLY);
    else if (!strcmp(what, "rename")) result = rename(path, "mine");
    else if (!strcmp(what, "chmod")) result = chmod(path, 0);
    else if (!strcmp(what, "link")) result = link(path, "mine");
    else if (!strcmp(what, "truncate")) result = truncate(path, 0);
    else if (!strcmp(what, "read")) result = read_from(path);
    else if (!strcmp(what, "utime")) result = utime(path, 0);
    else if (!strcmp(what, "create")) result = write_to(path, O_WRONLY | O_CREAT);
    else if (!strcmp(what, "mkdir")) result = mkdir(path, 0777);
    else if (!strcmp(what, "symlink")) result = symlink("/", path);
    else if (!strcmp(what, "exec")) result = run_shell();
    else if (!strcmp(what, "connect")) result = connect_out();
    else if (!strcmp(what, "ptrace")) result = (int)ptrace(PTRACE_ATTACH, atoi(path), 0, 0);
    else if (!strcmp(what, "kill")) result = kill(atoi(path), SIGKILL);
    else if (!strcmp(what, "kill-all")) result = kill(-1, SIGKILL);
    else if (!strcmp(what, "raise")) result = raise(atoi(path));
    else if (!strcmp(what, "daemon")) {
        result = 0;
        if (fork() == 0) {
            setsid();
            for (;;) sleep(1);
        }
    }
    if (result == 0) puts("done");
    return result != 0;
}
