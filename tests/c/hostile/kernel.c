// What only an administrator does, and calls of the kernel that no function of the C library stands for.
// case: mount_over exit 0|1 says `mount`
// case: new_root exit 0|1 says `chroot`
// case: become_root exit 0|1 says `setuid`
// case: leave exit 0|1 says `unshare`
// case: join exit 0|1 says `setns`
// case: rename_itself exit 0|1 says `prctl`
// case: another_machine exit 0|1 says `personality`
// case: restart exit 0|1 says `reboot`
// case: raw_unlink exit 0|1 says `syscall`
// case: ring exit 0|1 says `syscall`
// case: observe exit 0|1 says `syscall`
// case: raw_kill exit 0|1 says `syscall`
// case: assembly_unlink exit 0|1 says assembly
// case: assembly_kill exit 0|1 says assembly
// case: assembly_fork exit 0|1 says assembly
// case: assembly_open exit 0|1 says assembly
// case: own_memory exit 0|1
// case: own_map exit 0|1
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

int mount_over(int x)
{
    if (x == 1)
        return mount("none", FOLDER, "tmpfs", 0, NULL);
    return 0;
}

int new_root(int x)
{
    if (x == 1)
        return chroot(FOLDER);
    return 0;
}

int become_root(int x)
{
    if (x == 1)
        return setuid(0);
    return 0;
}

int leave(int x)
{
    if (x == 1)
        return unshare(CLONE_NEWUSER | CLONE_NEWNS);
    return 0;
}

int join(int x)
{
    if (x == 1)
        return setns(3, 0);
    return 0;
}

int rename_itself(int x)
{
    if (x == 1)
        return prctl(PR_SET_NAME, "innocent", 0, 0, 0);
    return 0;
}

int another_machine(int x)
{
    if (x == 1)
        return personality(ADDR_NO_RANDOMIZE);
    return 0;
}

int restart(int x)
{
    if (x == 1)
        return reboot(RB_DISABLE_CAD);
    return 0;
}

int raw_unlink(int x)
{
    if (x == 1)
        return (int)syscall(SYS_unlink, CANARY);
    return 0;
}

int ring(int x)
{
    static char parameters[256];
    if (x == 1)
        return (int)syscall(SYS_io_uring_setup, 8, parameters);
    return 0;
}

int observe(int x)
{
    static char attributes[128];
    if (x == 1)
        return (int)syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0);
    return 0;
}

int raw_kill(int x)
{
    if (x == 1)
        return (int)syscall(SYS_kill, VICTIM, SIGKILL);
    return 0;
}

/* Nothing stands between these and the kernel. */
static long call(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

int assembly_unlink(int x)
{
    if (x == 1)
        return (int)call(SYS_unlink, (long)CANARY, 0, 0);
    return 0;
}

int assembly_kill(int x)
{
    if (x == 1)
        return (int)call(SYS_kill, VICTIM, SIGKILL, 0);
    return 0;
}

int assembly_fork(int x)
{
    /* Enough to be noticed. */
    for (int i = 0; x == 1 && i < 200; i++) {
        if (call(SYS_fork, 0, 0, 0) == 0) {
            for (int turns = 0; turns < 1000; turns++)
                call(SYS_sched_yield, 0, 0, 0);
            call(SYS_unlink, (long)CANARY, 0, 0);
            call(SYS_pause, 0, 0, 0);
        }
    }
    return 0;
}

int assembly_open(int x)
{
    if (x == 1)
        return (int)call(SYS_open, (long)CANARY, O_WRONLY | O_TRUNC, 0);
    return 0;
}

int own_memory(int x)
{
    if (x == 1)
        return open("/proc/self/mem", O_RDWR);
    return 0;
}

int own_map(int x)
{
    if (x != 1)
        return 0;
    FILE *file = fopen("/proc/self/uid_map", "w");
    return file == NULL ? 1 : fclose(file);
}
