/* err.h and error.h: messages to standard error. */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static void say(bool with_errno, const char *format, va_list list) {
    int error = errno;
    fprintf(stderr, "%s: ", program_invocation_short_name);
    if (format != NULL) {
        vfprintf(stderr, format, list);
        if (with_errno) fputs(": ", stderr);
    }
    if (with_errno) fputs(strerror(error), stderr);
    fputc('\n', stderr);
}

void vwarn(const char *format, va_list list) { say(true, format, list); }
void vwarnx(const char *format, va_list list) { say(false, format, list); }

void verr(int status, const char *format, va_list list) {
    say(true, format, list);
    exit(status);
}

void verrx(int status, const char *format, va_list list) {
    say(false, format, list);
    exit(status);
}

#define FORWARD(call)       \
    va_list list;           \
    va_start(list, format); \
    call;                   \
    va_end(list)

void warn(const char *format, ...) { FORWARD(say(true, format, list)); }
void warnx(const char *format, ...) { FORWARD(say(false, format, list)); }

void err(int status, const char *format, ...) {
    FORWARD(say(true, format, list));
    exit(status);
}

void errx(int status, const char *format, ...) {
    FORWARD(say(false, format, list));
    exit(status);
}

unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

static void report(int status, int error, const char *place, unsigned line, const char *format, va_list list) {
    fflush(stdout);
    if (error_print_progname != NULL) {
        error_print_progname();
    } else {
        fprintf(stderr, "%s:", program_invocation_name);
    }
    if (place != NULL) {
        fprintf(stderr, "%s:%u: ", place, line);
    } else if (error_print_progname == NULL) {
        fputc(' ', stderr);
    }
    vfprintf(stderr, format, list);
    error_message_count++;
    if (error != 0) fprintf(stderr, ": %s", strerror(error));
    fputc('\n', stderr);
    if (status != 0) exit(status);
}

void error(int status, int number, const char *format, ...) {
    FORWARD(report(status, number, NULL, 0, format, list));
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
    static const char *last_file;
    static unsigned last_line;
    if (error_one_per_line && last_line == line && last_file != NULL && file != NULL && strcmp(last_file, file) == 0) {
        return;
    }
    last_file = file;
    last_line = line;
    FORWARD(report(status, number, file, line, format, list));
}
