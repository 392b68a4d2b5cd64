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

/* From here on there is no way back. A filter that cannot be put on is as bad as none. */
static void put_on_filters(void)
{
    int i, step;
    for (i = 0; i < filter_count; i++) {
        struct sock_fprog program;
        for (step = 0; step < filters[i].count; step++)
            if (filters[i].steps[step].k == OWN_PROCESS)
                filters[i].steps[step].k = (unsigned)syscall(SYS_getpid);
        program.len = filters[i].count;
        program.filter = filters[i].steps;
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
            || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0) {
            fail("#   the filter of system calls cannot be put on: error %d\n", errno);
            _exit(125);
        }
    }
}
