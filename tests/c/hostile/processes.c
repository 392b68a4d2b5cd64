// Other programs and other processes.
// case: shell exit 0|1
// case: shell_pipe exit 0|1
// case: replace exit 0|1 says `execve`
// case: replace_by_name exit 0|1 says `execlp`
// case: spawn exit 0|1 says `posix_spawn`
// case: split exit 0|1 says `fork`
// case: split_sharing exit 0|1 says `vfork`
// case: bomb exit 0|1 says `fork`
// case: background exit 0|1 says `fork`
// case: demon exit 0|1 says `daemon`
// case: wait_for_nobody exit 0|1 says `wait`
// case: program_in_memory exit 0|1 says `memfd_create`
// case: split_by_symbol exit 0|1 says `fork`
// case: stubbed exit 0|1 with --stub fork=any
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
/* The same function by the linker's name of it. */
pid_t another_name(void) __asm__("fork");

int shell(int x)
{
    if (x == 1)
        return system("rm -f " CANARY);
    return 0;
}

int shell_pipe(int x)
{
    if (x != 1)
        return 0;
    FILE *pipe = popen("rm -f " CANARY, "r");
    return pipe == NULL ? 1 : 2;
}

int replace(int x)
{
    char *arguments[] = {"/bin/rm", "-f", CANARY, NULL};
    if (x == 1)
        return execve(arguments[0], arguments, environ);
    return 0;
}

int replace_by_name(int x)
{
    if (x == 1)
        return execlp("rm", "rm", "-f", CANARY, (char *)NULL);
    return 0;
}

int spawn(int x)
{
    char *arguments[] = {"/bin/rm", "-f", CANARY, NULL};
    pid_t child;
    if (x == 1)
        return posix_spawn(&child, arguments[0], NULL, NULL, arguments, environ);
    return 0;
}

int split(int x)
{
    if (x != 1)
        return 0;
    pid_t child = fork();
    if (child == 0) {
        remove(CANARY);
        _exit(0);
    }
    return child > 0;
}

int split_sharing(int x)
{
    if (x == 1 && vfork() == 0)
        _exit(0);
    return 0;
}

int bomb(int x)
{
    while (x == 1)
        fork();
    return 0;
}

int background(int x)
{
    if (x == 1 && fork() == 0) {
        setsid();
        for (;;) {
            FILE *file = fopen(CANARY, "a");
            if (file != NULL)
                fclose(file);
            sleep(1);
        }
    }
    return 0;
}

int demon(int x)
{
    if (x == 1)
        return daemon(0, 0);
    return 0;
}

int wait_for_nobody(int x)
{
    int status = 0;
    if (x == 1)
        return wait(&status);
    return 0;
}

int program_in_memory(int x)
{
    if (x != 1)
        return 0;
    int fd = memfd_create("program", 0);
    write(fd, "#!/bin/sh\nrm -f " CANARY "\n", 16);
    char *arguments[] = {"program", NULL};
    return fexecve(fd, arguments, environ);
}

int split_by_symbol(int x)
{
    if (x == 1 && another_name() == 0) {
        remove(CANARY);
        _exit(0);
    }
    return 0;
}

int stubbed(int x)
{
    if (x != 1)
        return 0;
    pid_t child = fork();
    if (child < 0)
        return 1;
    return child == 0 ? 2 : 3;
}
