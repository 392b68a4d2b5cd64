/* Functions of the C library whose values differ from run to run: the clock, numbers of processes and users, other programs. The code under
 * test calls these instead, which give what it got when the tests were made; waiting takes no time. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { WORLD_NOW = 1000000000, WORLD_PROCESS = 4242, WORLD_PARENT = 4241, WORLD_USER = 1000 };

time_t covenant_own_time(time_t *to)
{
    if (to != NULL)
        *to = WORLD_NOW;
    return WORLD_NOW;
}

clock_t covenant_own_clock(void)
{
    return 0;
}

int covenant_own_gettimeofday(struct timeval *to, void *zone)
{
    if (zone != NULL)
        memset(zone, 0, sizeof(struct timezone));
    to->tv_sec = WORLD_NOW;
    to->tv_usec = 0;
    return 0;
}

int covenant_own_clock_gettime(clockid_t clock, struct timespec *to)
{
    (void)clock;
    to->tv_sec = WORLD_NOW;
    to->tv_nsec = 0;
    return 0;
}

int covenant_own_clock_getres(clockid_t clock, struct timespec *to)
{
    (void)clock;
    if (to != NULL) {
        to->tv_sec = 0;
        to->tv_nsec = 1;
    }
    return 0;
}

int covenant_own_timespec_get(struct timespec *to, int base)
{
    if (base != 1)
        return 0;
    to->tv_sec = WORLD_NOW;
    to->tv_nsec = 0;
    return base;
}

clock_t covenant_own_times(struct tms *to)
{
    if (to != NULL)
        memset(to, 0, sizeof *to);
    return 0;
}

unsigned covenant_own_sleep(unsigned seconds)
{
    (void)seconds;
    return 0;
}

int covenant_own_usleep(useconds_t microseconds)
{
    (void)microseconds;
    return 0;
}

int covenant_own_nanosleep(const struct timespec *wanted, struct timespec *rest)
{
    if (wanted->tv_nsec < 0 || wanted->tv_nsec >= 1000000000 || wanted->tv_sec < 0) {
        errno = EINVAL;
        return -1;
    }
    if (rest != NULL)
        memset(rest, 0, sizeof *rest);
    return 0;
}

pid_t covenant_own_getpid(void)
{
    return WORLD_PROCESS;
}

pid_t covenant_own_getppid(void)
{
    return WORLD_PARENT;
}

uid_t covenant_own_getuid(void)
{
    return WORLD_USER;
}

uid_t covenant_own_geteuid(void)
{
    return WORLD_USER;
}

gid_t covenant_own_getgid(void)
{
    return WORLD_USER;
}

gid_t covenant_own_getegid(void)
{
    return WORLD_USER;
}

/* Only to itself: no test was made of signals to others. */
int covenant_own_kill(pid_t process, int number)
{
    if (process != WORLD_PROCESS) {
        fprintf(stderr, "covenant: kill of another process is not supported\n");
        abort();
    }
    return kill(getpid(), number);
}

/* No shell can be started, which POSIX has look as if it had ended with 127. */
int covenant_own_system(const char *command)
{
    if (command == NULL)
        return 0;
    errno = ENOENT;
    return 127 << 8;
}

FILE *covenant_own_popen(const char *command, const char *mode)
{
    int known = (mode[0] == 'r' || mode[0] == 'w') && (mode[1] == 0 || (mode[1] == 'e' && mode[2] == 0));
    (void)command;
    errno = known ? ENOENT : EINVAL;
    return NULL;
}

long covenant_own_sysconf(int name)
{
    switch (name) {
    case _SC_PAGESIZE: return 4096;
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN: return 1;
    case _SC_CLK_TCK: return 100;
    case _SC_OPEN_MAX: return 1024;
    case _SC_ARG_MAX: return 2097152;
    case _SC_LINE_MAX: return 2048;
    case _SC_PHYS_PAGES: return 262144;
    default: errno = EINVAL; return -1;
    }
}
