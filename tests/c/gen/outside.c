// What the code does outside of its memory: errno, what it prints, calls of undefined functions and of a callback.
// function: report_level
// options: --pointers valid
// expect: covered 10 infeasible 0 unknown 0
#include <errno.h>
#include <stdio.h>

struct gauge {
    int low, high;
    const char *name;
};

void set_valve(int valve, double opening, const struct gauge *gauge);
int read_gauge(unsigned char channel);

int report_level(struct gauge *gauge, int (*confirm)(int level, const char *why));

int report_level(struct gauge *gauge, int (*confirm)(int level, const char *why))
{
    if (gauge->low >= gauge->high) {
        errno = EINVAL;
        return -1;
    }
    int level = read_gauge(200);
    if (level < gauge->low) {
        set_valve(1, 0.25, gauge);
        set_valve(2, -1.5, NULL);
        return level;
    }
    if (level > gauge->high) {
        if (confirm(level, "high")) {
            fprintf(stderr, "level too high\n");
        }
        printf("level \"%s\"\n", level % 2 ? "odd" : "even");
        return -1;
    }
    return 0;
}
