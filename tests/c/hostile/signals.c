// Signals to others and to itself, handlers, timers, tracing.
// case: kill_a_stranger exit 0|1
// case: kill_everybody exit 0|1
// case: kill_the_parent exit 0|1
// case: kill_the_group exit 0|1
// case: kill_group_by_name exit 0|1 says `killpg`
// case: kill_itself exit 1
// case: stop_itself exit 0|1
// case: ignore_the_end exit 0|1
// case: handle_crashes exit 0|1
// case: handle_the_fence exit 0|1
// case: block_all exit 0|1
// case: set_alarm exit 0|1 says `alarm`
// case: set_timer exit 0|1 says `setitimer`
// case: wait_for_ever exit 0|1 says `pause`
// case: trace exit 0|1 says `ptrace`
// case: write_into exit 0|1 says `process_vm_writev`
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

int kill_a_stranger(int process)
{
    if (process == VICTIM)
        return kill(process, SIGKILL);
    return 0;
}

int kill_everybody(int x)
{
    if (x == 1)
        return kill(-1, SIGKILL);
    return 0;
}

int kill_the_parent(int x)
{
    if (x == 1)
        return kill(getppid(), SIGKILL);
    return 0;
}

int kill_the_group(int x)
{
    if (x == 1)
        return kill(0, SIGKILL);
    return 0;
}

int kill_group_by_name(int x)
{
    if (x == 1)
        return killpg(VICTIM, SIGKILL);
    return 0;
}

int kill_itself(int x)
{
    if (x == 1)
        return kill(getpid(), SIGKILL);
    return 0;
}

int stop_itself(int x)
{
    if (x == 1)
        return raise(SIGSTOP);
    return 0;
}

int ignore_the_end(int x)
{
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    if (x == 1)
        return raise(SIGTERM);
    return 0;
}

static jmp_buf back;

static void jump(int number)
{
    longjmp(back, number);
}

int handle_crashes(int x)
{
    signal(SIGSEGV, jump);
    signal(SIGABRT, jump);
    if (setjmp(back) != 0)
        return 3;
    if (x == 1)
        raise(SIGSEGV);
    if (x == 2)
        abort();
    return 0;
}

int handle_the_fence(int x)
{
    signal(SIGSYS, jump);
    if (setjmp(back) != 0)
        return 3;
    if (x == 1)
        raise(SIGSYS);
    return 0;
}

int block_all(int x)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    while (x == 1)
        ;
    return 0;
}

int set_alarm(int x)
{
    if (x == 1)
        return (int)alarm(1);
    return 0;
}

int set_timer(int x)
{
    struct itimerval soon = {{0, 1000}, {0, 1000}};
    if (x == 1)
        return setitimer(ITIMER_REAL, &soon, NULL);
    return 0;
}

int wait_for_ever(int x)
{
    if (x == 1)
        return pause();
    return 0;
}

int trace(int x)
{
    if (x == 1)
        return (int)ptrace(PTRACE_ATTACH, VICTIM, NULL, NULL);
    return 0;
}

int write_into(int x)
{
    char byte = 0;
    struct iovec from = {&byte, 1}, to = {(void *)0x1000, 1};
    if (x == 1)
        return (int)process_vm_writev(VICTIM, &from, 1, &to, 1, 0);
    return 0;
}
