/* Formats against many inputs, from strings and from streams. */
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

#pragma clang diagnostic ignored "-Wformat"
#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat-security"

extern int cov_sscanf(const char *, const char *, ...);
extern int cov___isoc99_fscanf(FILE *, const char *, ...);
extern int cov___isoc23_sscanf(const char *, const char *, ...);
TWIN(fopen);
TWIN(fclose);
TWIN(getc);
TWIN(ftell);

enum { TARGETS = 6, SIZE = 128 };
static char wanted[TARGETS][SIZE] __attribute__((aligned(16)));
static char got[TARGETS][SIZE] __attribute__((aligned(16)));

#define ALL(t) t[0], t[1], t[2], t[3], t[4], t[5]

static void compare(const char *input, const char *format) {
    memset(wanted, 0x5a, sizeof wanted);
    memset(got, 0x5a, sizeof got);
    errno = cov_errno = 0;
    int first = sscanf(input, format, ALL(wanted));
    int second = cov_sscanf(input, format, ALL(got));
    /* Nothing is said of targets that were not assigned, save that glibc leaves them alone too. */
    /* glibc forgets a range error when it reads on at the end of its input. */
    bool same = first == second && (errno == cov_errno || errno == 0);
    for (int i = 0; i < TARGETS; i++) same = same && (i >= first + 1 || memcmp(wanted[i], got[i], SIZE) == 0);
    CHECK(same, "sscanf(\"%s\", \"%s\"): wanted %d (errno %d), got %d (errno %d)", show(input), show(format), first,
          errno, second, cov_errno);
}

static const char *const formats[] = {
    "%d%n", "%i%n", "%u%n", "%o%n", "%x%n", "%X%n", "%p%n", "%hhd%n", "%hd%n", "%ld%n", "%lld%n", "%jd%n", "%zu%n",
    "%td%n", "%Ld%n", "%qd%n", "%2d%n", "%1i%n", "%2i%n", "%3x%n", "%4p%n", "%5p%n", "%f%n", "%lf%n", "%Lf%n", "%e%n",
    "%g%n", "%a%n", "%1f%n", "%2f%n", "%3lf%n", "%4lf%n", "%5lf%n", "%7lf%n", "%s%n", "%3s%n", "%c%n", "%3c%n", "%*d%n",
    "%*s%d%n", "%*f%n", "%[a-z]%n", "%[^a-z]%n", "%[]x]%n", "%[^]x]%n", "%[0-9.]%n", "%3[0-9]%n", "%[z-a]%n",
    "%[a-]%n", "%[-a]%n", "%[a-c-e]%n", "%*[ab]%c%n", " %c%n", "%d,%d%n", "%d , %d%n", "%d %d %d%n", "x%dy%n", "%%%n",
    " %% %d%n", "%d%%%n", "%d %s %f%n", "%n%d%n", "%d%*c%d%n", "%2$d %1$d", "%1$s", "%hhn%s%ln", "%d\n", "a b%n",
    "%5c%n", "%ls%n", "%3ls%n", "%lc%n", "%l[a-f]%n", "%'d%n", "%lu%n", "%hhx%n", "%hx%n", "%lx%n", "%llx%n", "%",
    "%d%", "%0d%n", "%k", "%*n%d", "%d%s", "%f,%f", "%x:%x:%x%n", "%i %i %i%n", "%4d-%2d-%2d%n",
};
static const char *const inputs[] = {
    "", " ", "\n\t ", "0", "1", "-1", "+1", "-", "+", "--1", "12", "12 34", "12,34", "12 , 34 x", "x12y", "x 12 y",
    "0x", "0x1f", "0xg", "0X1F", "-0x1f", "+0x", "0x-1", "08", "017", "-017", "0b11", "99999999999", "-99999999999",
    "9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "18446744073709551616", "-18446744073709551615", "1.5", ".5", "5.", ".", "-.5e3", "1e5", "1e", "1e+", "1e+5x",
    "1e5.5", "1.2.3", "0x1.8p3", "0x1.8p", "0x.8", "0x.", "0xp1", "inf", "-inf", "infinity", "infinit", "infx", "in",
    "i", "nan", "nan(12)", "nan(", "na", "-nan", "INFINITY", "NaN", "1e400", "1e-400", "-1e400", "1e-310", "abc",
    "abc def", "  abc", "abcdefghij", "xyz]", "]x", "-a-c", "a,b", "%", " % 5", "5%", "5 %", "(nil)", "(nil", "(NIL)",
    "( nil)", "0x0", "2024-01-31", "2024-1-3", "1:2:3", "ff:0x10:-3", "a b", "ab", "a  b", "1 abc 2.5", "é", "a\xe9z",
    "12a", "1 2", "1 2 3 4", "00", "000", "0 0x10 010", "+0x1p-3", "1,5", "1'000", "12.5e+07rest", "1e0x5", "0e",
    "0e5", "0.0e", "-0", "-0.0", "1p5", "0x1p5p5", "0x1e5", "0x1e+5", "..5", "e5", "+e5", ".e5", "5e5e5", "0x0x1",
};

static void table(void) {
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) compare(inputs[i], formats[f]);
    }
}

static void fuzz(void) {
    static const char characters[] = "0011239xXeEpP+-..,  infnaty()abcf%\n\t_]";
    for (int round = 0; round < 300000; round++) {
        char input[24];
        unsigned length = below(sizeof input - 1);
        for (unsigned i = 0; i < length; i++) input[i] = characters[below(sizeof characters - 1)];
        input[length] = '\0';
        compare(input, formats[below(sizeof formats / sizeof *formats)]);
    }
}

/* Random formats without a conversion that would write past a target. */
static void fuzz_formats(void) {
    static const char *const pieces[] = {"%d", "%i", "%x", "%f", "%lf", "%s", "%c", "%[ab1]", "%[^ ]", "%*d", "%*s",
                                         "%2d",
                                         "%1f", "%3s", "%2c", " ",  ",",  "x",  "%n", "%%", "%hhd", "%ld", "%*c"};
    static const char characters[] = "0123 ,xab.e-+%";
    for (int round = 0; round < 150000; round++) {
        char format[64] = "";
        for (unsigned i = below(5) + 1; i > 0; i--) strcat(format, pieces[below(sizeof pieces / sizeof *pieces)]);
        char input[32];
        unsigned length = below(sizeof input - 1);
        for (unsigned i = 0; i < length; i++) input[i] = characters[below(sizeof characters - 1)];
        input[length] = '\0';
        compare(input, format);
    }
}

/* The same from a stream; what is left there must be the same as well. */
static void streams(void) {
    int fd = memfd_create("scanf", 0);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    for (int round = 0; round < 4000; round++) {
        const char *input = inputs[below(sizeof inputs / sizeof *inputs)];
        const char *format = formats[below(sizeof formats / sizeof *formats)];
        if (strchr(format, '$') != NULL) continue;
        if (ftruncate(fd, 0) != 0 || pwrite(fd, input, strlen(input), 0) < 0) fail("cannot write %s", path);
        FILE *a = fopen(path, "r");
        FILE *b = cov_fopen(path, "r");
        memset(wanted, 0x5a, sizeof wanted);
        memset(got, 0x5a, sizeof got);
        int first = fscanf(a, format, ALL(wanted));
        int second = cov___isoc99_fscanf(b, format, ALL(got));
        long place = ftell(a);
        bool same = first == second && place == cov_ftell(b);
        int c = getc(a);
        same = same && c == cov_getc(b) && memcmp(wanted, got, sizeof got) == 0;
        CHECK(same, "fscanf(\"%s\", \"%s\"): wanted %d at %ld, got %d at %ld", show(input), show(format), first, place,
              second, cov_ftell(b));
        fclose(a);
        cov_fclose(b);
    }
    close(fd);
}

static void allocated(void) {
    static const char *const forms[] = {"%ms", "%m[a-z]", "%mc", "%3mc", "%2ms"};
    for (int i = 0; i < 5; i++) {
        char *a = NULL;
        char *b = NULL;
        int first = sscanf("hello world", forms[i], &a);
        int second = cov_sscanf("hello world", forms[i], &b);
        size_t length = i == 2 ? 1 : 3;
        CHECK(first == 1 && second == 1 && memcmp(a, b, length) == 0, "%s", forms[i]);
        CHECK(i == 2 || i == 3 || strcmp(a, b) == 0, "%s", forms[i]);
    }
}

void check_scanf(void) {
    table();
    fuzz();
    fuzz_formats();
    streams();
    allocated();
}
