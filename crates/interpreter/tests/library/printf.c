/* Every flag, width, precision and length with many values, against glibc's snprintf. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <wchar.h>

#include "check.h"

#pragma clang diagnostic ignored "-Wformat"
#pragma clang diagnostic ignored "-Wformat-nonliteral"

TWIN(snprintf);
TWIN(sprintf);
TWIN(asprintf);
TWIN(vsnprintf);
TWIN(free);

static char expected[8192];
static char actual[8192];

#define COMPARE(format, ...)                                                                                   \
    do {                                                                                                       \
        memset(expected, '#', 64);                                                                             \
        memset(actual, '#', 64);                                                                               \
        errno = cov_errno = 0;                                                                                 \
        int wanted = snprintf(expected, sizeof expected, format, ##__VA_ARGS__);                               \
        int got = cov_snprintf(actual, sizeof actual, format, ##__VA_ARGS__);                                  \
        bool same = wanted == got && (wanted < 0 ? errno == cov_errno : strcmp(expected, actual) == 0);        \
        CHECK(same, "printf \"%s\": wanted %d \"%s\" (errno %d), got %d \"%s\" (errno %d)", show(format), wanted, \
              show(expected), errno, got, show(actual), cov_errno);                                            \
    } while (0)

static const char *const widths[] = {"", "1", "7", "20", "*"};
static const char *const precisions[] = {"", ".", ".0", ".3", ".12", ".*"};

static void flags_of(unsigned bits, char *to) {
    static const char all[] = "-+ #0";
    for (unsigned i = 0; i < 5; i++) {
        if (bits >> i & 1) *to++ = all[i];
    }
    *to = '\0';
}

/* Calls `compare` for every combination of flags, width and precision; stars take 9 and 5 (or negative ones). */
#define EACH_LAYOUT(body)                                                                      \
    for (unsigned bits = 0; bits < 32; bits++) {                                               \
        char flags[8];                                                                         \
        flags_of(bits, flags);                                                                 \
        for (unsigned w = 0; w < 5; w++) {                                                     \
            for (unsigned p = 0; p < 6; p++) {                                                 \
                char layout[32];                                                               \
                snprintf(layout, sizeof layout, "%%%s%s%s", flags, widths[w], precisions[p]);  \
                bool star = w == 4;                                                            \
                bool dot_star = p == 5;                                                        \
                int width = bits % 3 == 0 ? -9 : 9;                                            \
                int precision = bits % 5 == 0 ? -1 : 5;                                        \
                body                                                                           \
            }                                                                                  \
        }                                                                                      \
    }

#define WITH_STARS(format, value)                                     \
    do {                                                              \
        if (star && dot_star) COMPARE(format, width, precision, value); \
        else if (star) COMPARE(format, width, value);                 \
        else if (dot_star) COMPARE(format, precision, value);         \
        else COMPARE(format, value);                                  \
    } while (0)

static void integers(void) {
    static const long values[] = {0, 1, -1, 7, 1234567, -98765, INT_MIN, INT_MAX, LONG_MIN, LONG_MAX, 0x8081, 255};
    static const char *const lengths[] = {"hh", "h", "", "l", "ll", "j", "z", "t"};
    EACH_LAYOUT({
        for (unsigned c = 0; c < 8; c++) {
            for (unsigned l = 0; l < 8; l++) {
                char format[64];
                snprintf(format, sizeof format, "[%s%s%c]", layout, lengths[l], "diuoxXbB"[c]);
                for (unsigned v = 0; v < sizeof values / sizeof *values; v++) WITH_STARS(format, values[v]);
            }
        }
    })
}

static void reals(void) {
    static const double values[] = {0.0, -0.0, 1.0, -1.5, 0.1, 123456.789, 1e10, 9.9999995, 0.5, 2.5, 1e-5, 1.5e300,
                                    DBL_MAX, DBL_MIN, 4.9e-324, INFINITY, -INFINITY, NAN, -NAN, 100000, 1e6, 99999.95};
    EACH_LAYOUT({
        for (unsigned c = 0; c < 8; c++) {
            char format[64];
            snprintf(format, sizeof format, "[%s%c]", layout, "eEfFgGaA"[c]);
            char long_format[64];
            snprintf(long_format, sizeof long_format, "[%sL%c]", layout, "eEfFgGaA"[c]);
            for (unsigned v = 0; v < sizeof values / sizeof *values; v++) {
                if ((v + bits + c) % 3 != 0) continue;
                WITH_STARS(format, values[v]);
                WITH_STARS(long_format, (long double)values[v] * 1.1L);
            }
        }
    })
}

static void texts(void) {
    EACH_LAYOUT({
        char format[64];
        snprintf(format, sizeof format, "[%ss]", layout);
        WITH_STARS(format, "");
        WITH_STARS(format, "hello, world");
        WITH_STARS(format, (char *)NULL);
        snprintf(format, sizeof format, "[%sc]", layout);
        WITH_STARS(format, 'x');
        WITH_STARS(format, 0xe9);
        snprintf(format, sizeof format, "[%sp]", layout);
        WITH_STARS(format, (void *)0x1234abcd);
        WITH_STARS(format, NULL);
        snprintf(format, sizeof format, "[%sls]", layout);
        WITH_STARS(format, L"wide text");
        WITH_STARS(format, (wchar_t *)NULL);
        snprintf(format, sizeof format, "[%slc]", layout);
        WITH_STARS(format, L'w');
        snprintf(format, sizeof format, "[%s%%]", layout);
        if (!star && !dot_star) COMPARE(format);
    })
    COMPARE("%ls", L"caf\u00e9");
    COMPARE("%lc", 0xe9);
    COMPARE("%S|%C", L"abc", L'd');
    COMPARE("%.2ls|%5.1ls|", L"abc", L"xyz");
}

static void odd_ones(void) {
    COMPARE("plain");
    COMPARE("");
    COMPARE("100%%");
    COMPARE("%");
    COMPARE("abc%");
    COMPARE("%5");
    COMPARE("%-");
    COMPARE("%l");
    COMPARE("[%y]", 1);
    COMPARE("[%5.3y][%+-#09.2k]", 1);
    COMPARE("%2147483648d", 1);
    COMPARE("%99999999999d", 1);
    COMPARE("%.99999999999d", 1);
    COMPARE("%.3000f", 1.0 / 3);
    COMPARE("%.1100f", 4.9e-324);
    COMPARE("%500d", 3);
    COMPARE("%Lf %Le", LDBL_MAX, LDBL_MIN);
    COMPARE("%'d %'.2f", 1234567, 1234567.0);
    COMPARE("%Id", 42);
    COMPARE("%qd %Ld %zu %Zu", 1LL << 40, 1LL << 41, (size_t)5, (size_t)6);
    COMPARE("%d %s %f %c %ld %g", 1, "two", 3.0, '4', 5L, 6.5);
    COMPARE("%f %f %f %f %f %f %f %f %f %f", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.);
    COMPARE("%d %d %d %d %d %d %d %d %Lf %d", 1, 2, 3, 4, 5, 6, 7, 8, 9.0L, 10);
    errno = cov_errno = ENOENT;
    COMPARE("%m");
    for (int e = 0; e < 140; e += 7) {
        char first[128];
        char second[128];
        errno = e;
        snprintf(first, sizeof first, "%m|%20m|%-20m|%.3m", 0);
        cov_errno = e;
        cov_snprintf(second, sizeof second, "%m|%20m|%-20m|%.3m", 0);
        CHECK(strcmp(first, second) == 0, "%%m of %d: %s, %s", e, first, second);
    }
}

static void positional(void) {
    COMPARE("%2$d %1$d", 1, 2);
    COMPARE("%2$s-%1$s-%2$s", "a", "b");
    COMPARE("%1$d %1$x %1$o", 255);
    COMPARE("%3$.*1$f|%2$*1$d", 4, 77, 3.14159265);
    COMPARE("%2$Lf %1$d %3$f", 1, 2.5L, 3.5);
    COMPARE("%1$*2$d|%1$-*2$d|", 5, 8);
    COMPARE("%1$c%1$c %2$p", 'z', (void *)0x10);
    COMPARE("%10$d %9$d %8$d %7$d %6$d %5$d %4$d %3$d %2$d %1$d", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    COMPARE("%1$s %% %1$5s|", "q");
    COMPARE("%3$d", 1, 2, 3);
}

static void counts(void) {
    signed char hh[2] = {1, 1};
    short h[2] = {1, 1};
    int n[2] = {1, 1};
    long l[2] = {1, 1};
    snprintf(expected, sizeof expected, "ab%hhn %300d%hn%n%ln", &hh[0], 5, &h[0], &n[0], &l[0]);
    cov_snprintf(actual, sizeof actual, "ab%hhn %300d%hn%n%ln", &hh[1], 5, &h[1], &n[1], &l[1]);
    CHECK(hh[0] == hh[1] && h[0] == h[1] && n[0] == n[1] && l[0] == l[1], "%%n differs");
}

static void limits(void) {
    for (size_t size = 0; size < 20; size++) {
        memset(expected, '#', 64);
        memset(actual, '#', 64);
        int wanted = snprintf(expected, size, "%5d|%-6s|%.2f", 42, "abc", 1.25);
        int got = cov_snprintf(actual, size, "%5d|%-6s|%.2f", 42, "abc", 1.25);
        CHECK(wanted == got && memcmp(expected, actual, 64) == 0, "snprintf with %zu bytes", size);
    }
    CHECK(cov_snprintf(NULL, 0, "%d", 12345) == 5, "snprintf(NULL, 0)");
    CHECK(cov_snprintf(NULL, 0, "%2147483647d", 1) == INT_MAX, "as long as an int can say");
    cov_errno = 0;
    CHECK(cov_snprintf(NULL, 0, "%2147483647d|", 1) == -1 && cov_errno == EOVERFLOW, "longer");
    cov_errno = 0;
    CHECK(cov_snprintf(NULL, 0, "%*d", INT_MIN, 1) == -1 && cov_errno == EOVERFLOW, "a width without its positive");
    CHECK(cov_sprintf(actual, "%s-%d", "x", 3) == 3 && strcmp(actual, "x-3") == 0, "sprintf");
    char *made = NULL;
    CHECK(cov_asprintf(&made, "%s %1000d", "grow", 1) == 1005 && strlen(made) == 1005, "asprintf");
    cov_free(made);
}

void check_printf(void) {
    integers();
    reals();
    texts();
    odd_ones();
    positional();
    counts();
    limits();
}

/* Random formats, nonsense included; integers and doubles come from different registers, so order does not matter. */
void check_printf_fuzz(void) {
    static const char alphabet[] = "dduuxXocefgaEGAbB%hljzt0123456789-+ #'.*ydi";
    for (int round = 0; round < 300000; round++) {
        char format[40];
        unsigned length = 1 + below(9);
        unsigned stars = 0;
        unsigned used = 0;
        format[used++] = '%';
        for (unsigned i = 0; i < length; i++) {
            char c = alphabet[below(sizeof alphabet - 1)];
            if (c == '*' && ++stars > 1) c = '.';
            if (c == '%') format[used++] = '|';
            format[used++] = c;
        }
        format[used++] = '|';
        format[used] = '\0';
        /* Not comparable: a width that fills the buffer, and what a long double would be. */
        if (strstr(format, "ll") != NULL && strpbrk(format, "efgaEGA") != NULL) continue;
        unsigned digits = 0;
        unsigned most = 0;
        for (char *at = format; *at != '\0'; at++) {
            digits = *at >= '0' && *at <= '9' ? digits + 1 : 0;
            if (digits > most) most = digits;
        }
        if (most > 3) continue;
        long a = (int)below(40) - 5;
        long b = stars > 0 ? (long)below(99) : (long)(chance() >> below(64));
        double d = (double)(int64_t)chance() / (double)(1ULL << below(64));
        COMPARE(format, a, b, b + 1, 7L, d, -d, 1.0);
    }
}
