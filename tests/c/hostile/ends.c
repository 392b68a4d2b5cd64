// Unusual ways to end.
// case: leave_at_once exit 0|1
// case: leave_quickly exit 0|1
// case: harm_afterwards exit 0|1
// case: harm_after_exit exit 0|1
// case: jump_nowhere exit 0|1
// case: abort_and_handle exit 0|1
// case: thread_behind exit 0|1 says `pthread_create`
// case: duplicate exit 0|1 says `dup2`
// case: read_input exit 0|1
// case: position_of_input exit 0|1
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void harm(void)
{
    remove(CANARY);
}

int leave_at_once(int x)
{
    if (x == 1)
        _exit(0);
    return 5;
}

int leave_quickly(int x)
{
    at_quick_exit(harm);
    if (x == 1)
        quick_exit(3);
    return 5;
}

int harm_afterwards(int x)
{
    if (x == 1)
        return atexit(harm);
    return 5;
}

int harm_after_exit(int x)
{
    atexit(harm);
    if (x == 1)
        exit(7);
    return 5;
}

static jmp_buf gone;

static void mark(void)
{
    (void)setjmp(gone);
}

int jump_nowhere(int x)
{
    mark();
    if (x == 1)
        longjmp(gone, 1);
    return 0;
}

static void again(int number)
{
    (void)number;
    remove(CANARY);
}

int abort_and_handle(int x)
{
    signal(SIGABRT, again);
    if (x == 1)
        abort();
    return 0;
}

static void *run(void *unused)
{
    remove(CANARY);
    return unused;
}

int thread_behind(int x)
{
    pthread_t thread;
    if (x == 1)
        return pthread_create(&thread, NULL, run, NULL);
    return 0;
}

int duplicate(int x)
{
    if (x == 1)
        return dup2(1, 0);
    return 0;
}

int read_input(int x)
{
    char line[16];
    if (x == 1)
        return fgets(line, sizeof line, stdin) == NULL;
    return 0;
}

int position_of_input(int x)
{
    if (x == 1)
        return (int)lseek(0, 0, SEEK_END);
    return 0;
}
