/* Runs one group of comparisons, by name. */
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static int failures;
static int real_error = 2;

void fail(const char *format, ...) {
    if (failures++ >= 20) return;
    char text[4096];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text - 1, format, list);
    va_end(list);
    if (length > (int)sizeof text - 2) length = sizeof text - 2;
    text[length] = '\n';
    if (write(real_error, text, (size_t)length + 1) < 0) _exit(3);
}

uint64_t chance(void) {
    static uint64_t state = 0x9e3779b97f4a7c15;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1d;
}

const char *show(const char *text) {
    static char buffers[8][512];
    static unsigned turn;
    char *to = buffers[turn++ % 8];
    size_t used = 0;
    for (; *text != '\0' && used < 500; text++) {
        unsigned char c = (unsigned char)*text;
        used += (size_t)snprintf(to + used, 8, c >= 32 && c < 127 ? "%c" : "\\x%02x", c);
    }
    to[used] = '\0';
    return to;
}

static int saved = -1;
static int captured = -1;

void capture_start(int fd) {
    captured = memfd_create("capture", 0);
    saved = dup(fd);
    dup2(captured, fd);
}

size_t capture_end(int fd, char *to, size_t size) {
    dup2(saved, fd);
    close(saved);
    ssize_t length = pread(captured, to, size - 1, 0);
    close(captured);
    to[length > 0 ? length : 0] = '\0';
    return length > 0 ? (size_t)length : 0;
}

static const struct {
    const char *name;
    void (*run)(void);
} groups[] = {
    {"printf", check_printf}, {"printf_fuzz", check_printf_fuzz}, {"scanf", check_scanf}, {"strtol", check_strtol},
    {"strtod", check_strtod}, {"string", check_string},           {"ctype", check_ctype}, {"stdlib", check_stdlib},
    {"random", check_random}, {"time", check_time},               {"getopt", check_getopt}, {"math", check_math},
    {"files", check_files},   {"exit", check_exit},
};

int main(int argc, char **argv) {
    real_error = dup(2);
    setenv("TZ", "UTC", 1);
    tzset();
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (argc == 2 && strcmp(groups[i].name, argv[1]) == 0) {
            groups[i].run();
            if (failures > 0) dprintf(real_error, "%d comparisons failed\n", failures);
            _exit(failures > 0);
        }
    }
    return 2;
}
