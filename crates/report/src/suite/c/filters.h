/* What a test's process may ask of the system, as seccomp has it. A part of runner.c. */

#include <linux/filter.h>
#include <linux/seccomp.h>

/* Filters that Covenant gives us, hexadecimal digits with commas between them. This value in them is the number of the process. */
enum { OWN_PROCESS = 0x5eedc0de, MOST_FILTERS = 4, MOST_STEPS = 1024 };

static struct {
    unsigned short count;
    struct sock_filter steps[MOST_STEPS];
} filters[MOST_FILTERS];
static int filter_count;

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void read_filters(const char *text)
{
    while (text != NULL && *text != 0) {
        size_t length = 0;
        unsigned char *to;
        if (filter_count == MOST_FILTERS)
            _exit(4);
        to = (unsigned char *)filters[filter_count].steps;
        for (; digit(text[0]) >= 0 && digit(text[1]) >= 0; text += 2) {
            if (length == sizeof filters->steps)
                _exit(4);
            to[length++] = (unsigned char)(digit(text[0]) << 4 | digit(text[1]));
        }
        filters[filter_count++].count = (unsigned short)(length / sizeof(struct sock_filter));
        if (*text == ',')
            text++;
        else if (*text != 0)
            _exit(4);
    }
}

/* What an emulator's process answers that has put its filters on; no other answer of that call. */
enum { FILTERS_ARE_ON = 0x5eed };

/* One filter. An emulator has threads of its own, which must not be without it. */
static int put_on(struct sock_fprog *program)
{
#ifdef FILTERS_ON_ALL_THREADS
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, program);
#else
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0);
#endif
}

/* From here on there is no way back. A filter that cannot be put on is as bad as none. */
static void put_on_filters(void)
{
    int i, step;
#ifdef COVENANT_EMULATED
    /* Nothing that is done here holds for the emulator's own calls. */
    if (filter_count == 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == FILTERS_ARE_ON)
        return;
    fail("#   the emulator cannot put on the filter of system calls\n");
    _exit(125);
#endif
    for (i = 0; i < filter_count; i++) {
        struct sock_fprog program;
        for (step = 0; step < filters[i].count; step++)
            if (filters[i].steps[step].k == OWN_PROCESS)
                filters[i].steps[step].k = (unsigned)syscall(SYS_getpid);
        program.len = filters[i].count;
        program.filter = filters[i].steps;
        if (syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || put_on(&program) != 0) {
            fail("#   the filter of system calls cannot be put on: error %d\n", errno);
            _exit(125);
        }
    }
}
