/* time.h: a clock that stands still at 2001-09-09 01:46:40 UTC, and the calendar, where local time is UTC. */
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

static const time_t now = 1000000000;

#undef tzname
#undef timezone
#undef daylight
char *tzname[2] = {"UTC", "UTC"};
long timezone;
int daylight;
void tzset(void) {}

time_t time(time_t *to) {
    if (to != NULL) *to = now;
    return now;
}

clock_t clock(void) { return 0; }

int gettimeofday(struct timeval *restrict to, void *restrict zone) {
    if (zone != NULL) memset(zone, 0, sizeof(struct timezone));
    *to = (struct timeval){.tv_sec = now};
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *to) {
    (void)clock;
    *to = (struct timespec){.tv_sec = now};
    return 0;
}

int clock_getres(clockid_t clock, struct timespec *to) {
    (void)clock;
    if (to != NULL) *to = (struct timespec){.tv_nsec = 1};
    return 0;
}

int timespec_get(struct timespec *to, int base) {
    if (base != TIME_UTC) return 0;
    *to = (struct timespec){.tv_sec = now};
    return base;
}

clock_t times(struct tms *to) {
    if (to != NULL) memset(to, 0, sizeof *to);
    return 0;
}

/* Waiting takes no time. */
int nanosleep(const struct timespec *wanted, struct timespec *rest) {
    if (wanted->tv_nsec < 0 || wanted->tv_nsec >= 1000000000 || wanted->tv_sec < 0) {
        errno = EINVAL;
        return -1;
    }
    if (rest != NULL) *rest = (struct timespec){0};
    return 0;
}

unsigned sleep(unsigned seconds) {
    (void)seconds;
    return 0;
}

int usleep(useconds_t microseconds) {
    (void)microseconds;
    return 0;
}

double difftime(time_t end, time_t start) {
    /* The difference of two 64-bit numbers may need 65 bits. */
    return end >= start ? (double)((uint64_t)end - (uint64_t)start) : -(double)((uint64_t)start - (uint64_t)end);
}

/* The calendar: days since 1970-01-01 and dates of the proleptic Gregorian calendar. */

enum { DAY = 86400, DAYS_PER_400_YEARS = 146097 };

static bool is_leap(long year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static long floor_divide(long value, long by) { return value / by - (value % by < 0); }

/* Days from 1970-01-01 to the first of January of a year. */
static long days_before_year(long year) {
    long past = year - 1;
    return 365 * (year - 1970) + (floor_divide(past, 4) - 492) - (floor_divide(past, 100) - 19) +
           (floor_divide(past, 400) - 4);
}

static const short days_before_month[2][13] = {
    {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365},
    {0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366},
};

static bool break_down(time_t when, struct tm *to) {
    long days = floor_divide(when, DAY);
    long seconds = when - days * DAY;
    long year = 1970 + floor_divide(days, DAYS_PER_400_YEARS) * 400;
    while (days_before_year(year + 1) <= days) year++;
    if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) {
        errno = EOVERFLOW;
        return false;
    }
    long day = days - days_before_year(year);
    const short *months = days_before_month[is_leap(year)];
    int month = 0;
    while (months[month + 1] <= day) month++;
    long weekday = (days + 4) % 7;
    memset(to, 0, sizeof *to);
    to->tm_year = (int)(year - 1900);
    to->tm_yday = (int)day;
    to->tm_mon = month;
    to->tm_mday = (int)(day - months[month]) + 1;
    to->tm_wday = (int)(weekday < 0 ? weekday + 7 : weekday);
    to->tm_hour = (int)(seconds / 3600);
    to->tm_min = (int)(seconds % 3600 / 60);
    to->tm_sec = (int)(seconds % 60);
    return true;
}

static struct tm broken_down;

static struct tm *convert(const time_t *when, struct tm *to, const char *zone) {
    if (!break_down(*when, to)) return NULL;
    to->tm_zone = zone;
    return to;
}

struct tm *gmtime(const time_t *when) { return convert(when, &broken_down, "GMT"); }
struct tm *gmtime_r(const time_t *restrict when, struct tm *restrict to) { return convert(when, to, "GMT"); }
struct tm *localtime(const time_t *when) { return convert(when, &broken_down, "UTC"); }
struct tm *localtime_r(const time_t *restrict when, struct tm *restrict to) { return convert(when, to, "UTC"); }

/* Every field may be out of its range; the result is put back into the fields. */
static time_t build_up(struct tm *from, const char *zone) {
    long months = (long)from->tm_year * 12 + from->tm_mon;
    long year = 1900 + floor_divide(months, 12);
    long month = months - floor_divide(months, 12) * 12;
    long days = days_before_year(year) + days_before_month[is_leap(year)][month] + from->tm_mday - 1;
    /* All of this is far from the limits of long: a year is an int. */
    time_t when = days * DAY + (long)from->tm_hour * 3600 + (long)from->tm_min * 60 + from->tm_sec;
    struct tm normal;
    if (!break_down(when, &normal)) return -1;
    normal.tm_zone = zone;
    *from = normal;
    return when;
}

/* What summer time means where there is none, each version of a library decides. */
time_t mktime(struct tm *from) {
    bool is_summer = from->tm_isdst > 0;
    time_t when = build_up(from, "UTC");
    return is_summer ? __covenant_unsupported("`mktime` of a summer time", when, from) : when;
}

time_t timelocal(struct tm *from) { return mktime(from); }
time_t timegm(struct tm *from) { return build_up(from, "GMT"); }

/* Text. */

static char *write_time(const struct tm *from, char *to, size_t size) {
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const char *day = from->tm_wday < 0 || from->tm_wday > 6 ? "???" : days + 3 * from->tm_wday;
    const char *month = from->tm_mon < 0 || from->tm_mon > 11 ? "???" : months + 3 * from->tm_mon;
    int length = snprintf(to, size, "%.3s %.3s%3d %.2d:%.2d:%.2d %ld\n", day, month, from->tm_mday, from->tm_hour,
                          from->tm_min, from->tm_sec, 1900L + from->tm_year);
    if (length < 0 || (size_t)length >= size) {
        errno = EOVERFLOW;
        return NULL;
    }
    return to;
}

static char time_text[114];

char *asctime(const struct tm *from) { return write_time(from, time_text, sizeof time_text); }
char *asctime_r(const struct tm *restrict from, char *restrict to) { return write_time(from, to, 26); }

char *ctime(const time_t *when) {
    struct tm *local = localtime(when);
    return local == NULL ? NULL : asctime(local);
}

char *ctime_r(const time_t *when, char *to) {
    struct tm local;
    return convert(when, &local, "UTC") == NULL ? NULL : write_time(&local, to, 26);
}
