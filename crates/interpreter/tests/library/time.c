/* The calendar and strftime. */
#include <limits.h>
#include <time.h>

#include "check.h"

#pragma clang diagnostic ignored "-Wformat-nonliteral"

TWIN(gmtime_r);
TWIN(localtime_r);
TWIN(mktime);
TWIN(timegm);
TWIN(strftime);
TWIN(asctime);
TWIN(asctime_r);
TWIN(ctime);
TWIN(difftime);
TWIN(time);

static bool same_tm(const struct tm *a, const struct tm *b) {
    return a->tm_sec == b->tm_sec && a->tm_min == b->tm_min && a->tm_hour == b->tm_hour && a->tm_mday == b->tm_mday &&
           a->tm_mon == b->tm_mon && a->tm_year == b->tm_year && a->tm_wday == b->tm_wday && a->tm_yday == b->tm_yday &&
           a->tm_isdst == b->tm_isdst && a->tm_gmtoff == b->tm_gmtoff && strcmp(a->tm_zone, b->tm_zone) == 0;
}

static void same_text(const char *format, const struct tm *tm, size_t size) {
    char x[300];
    char y[300];
    memset(x, '#', sizeof x);
    memset(y, '#', sizeof y);
    struct tm copy = *tm;
    size_t wanted = strftime(x, size, format, tm);
    size_t got = cov_strftime(y, size, format, &copy);
    CHECK(wanted == got && (wanted == 0 || strcmp(x, y) == 0), "strftime \"%s\": wanted %zu \"%s\", got %zu \"%s\"",
          format, wanted, wanted ? x : "", got, got ? y : "");
}

static void formats(const struct tm *tm) {
    static const char conversions[] = "aAbBcCdDeFgGhHIjklmMnNpPrRsStTuUVwWxXyYzZ%";
    static const char *const prefixes[] = {"%",  "%E", "%O",  "%-", "%_",   "%0",  "%^",   "%#",
                                           "%5", "%12", "%-6", "%_7", "%09", "%^12", "%#4", "%_^20"};
    for (const char *c = conversions; *c != '\0'; c++) {
        for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
            char format[16];
            snprintf(format, sizeof format, "[%s%c]", prefixes[p], *c);
            same_text(format, tm, 300);
        }
    }
}

void check_time(void) {
    for (int round = 0; round < 20000; round++) {
        time_t when = (time_t)chance() >> below(64);
        struct tm x = {0};
        struct tm y = {0};
        errno = cov_errno = 0;
        bool first = gmtime_r(&when, &x) != NULL;
        bool second = cov_gmtime_r(&when, &y) != NULL;
        CHECK(first == second && errno == cov_errno && (!first || same_tm(&x, &y)), "gmtime %ld", when);
        if (!first) continue;
        CHECK(timegm(&x) == cov_timegm(&y) && same_tm(&x, &y), "timegm %ld", when);
        CHECK(strcmp(asctime(&x), cov_asctime(&y)) == 0, "asctime %ld", when);
        localtime_r(&when, &x);
        cov_localtime_r(&when, &y);
        CHECK(same_tm(&x, &y), "localtime %ld", when);
        if (round % 400 == 0) formats(&x);
        char *text = ctime(&when);
        CHECK(text != NULL && strcmp(text, cov_ctime(&when)) == 0, "ctime %ld", when);
    }
    for (int round = 0; round < 20000; round++) {
        struct tm x = {0};
        x.tm_year = (int)below(400) - 100;
        x.tm_mon = (int)below(60) - 30;
        x.tm_mday = (int)below(2000) - 1000;
        x.tm_hour = (int)chance() >> below(32);
        x.tm_min = (int)chance() >> below(32);
        x.tm_sec = (int)chance() >> below(32);
        if (round % 10 == 0) x.tm_year = (int)chance();
        struct tm y = x;
        time_t wanted = mktime(&x);
        time_t got = cov_mktime(&y);
        CHECK(wanted == got && (wanted == -1 || same_tm(&x, &y)), "mktime: wanted %ld, got %ld", wanted, got);
    }
    struct tm tm = {.tm_year = 124, .tm_mon = 1, .tm_mday = 29, .tm_hour = 13, .tm_wday = 4, .tm_yday = 59};
    for (size_t size = 0; size < 40; size++) same_text("%Y-%m-%d %H:%M:%S %A", &tm, size);
    same_text("%Q %", &tm, 100);
    same_text("plain %5% %10n|", &tm, 100);
    tm.tm_wday = 99;
    tm.tm_mon = -3;
    same_text("%a %A %b %B", &tm, 100);
    CHECK(cov_time(NULL) == 1000000000, "the clock stands still");
    CHECK(cov_difftime(LONG_MAX, LONG_MIN) == difftime(LONG_MAX, LONG_MIN), "difftime");
}
