/* Goes into the process of an emulator, which is a program of this machine and makes the system calls of the code that it plays.
 *
 * A test's process puts filters on itself before it runs the subject (`suite/c/filters.h`). Code that is played cannot do that: the calls
 * that filters see are the emulator's, and emulators refuse the request. So that code asks for no new privileges, which is what comes
 * first natively too, and this side of the process does the rest. It answers with a number of its own, so that nobody can take an
 * emulator without this for one that has it. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Nobody listens: the caller finds that the process ended. */
static void fail(const char *format, ...)
{
    (void)format;
}

#define FILTERS_ON_ALL_THREADS
#include "filters.h"

__attribute__((constructor)) static void begin(void)
{
    read_filters(getenv("COVENANT_FILTERS"));
    unsetenv("COVENANT_FILTERS");
    unsetenv("LD_PRELOAD");
}

int prctl(int option, ...)
{
    unsigned long parts[4];
    va_list rest;
    int i;
    va_start(rest, option);
    for (i = 0; i < 4; i++)
        parts[i] = va_arg(rest, unsigned long);
    va_end(rest);
    if (option == PR_SET_NO_NEW_PRIVS && parts[0] == 1) {
        put_on_filters();
        return FILTERS_ARE_ON;
    }
    return (int)syscall(SYS_prctl, option, parts[0], parts[1], parts[2], parts[3]);
}
