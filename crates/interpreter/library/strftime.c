/* time.h: strftime in the C locale, with glibc's flags (_ - 0 ^ #) and widths. */
#include <string.h>
#include <time.h>

#include "internal.h"

static const char *const day_names[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const month_names[] = {"January", "February", "March",     "April",   "May",      "June",
                                          "July",    "August",   "September", "October", "November", "December"};

struct output {
    char *to;
    size_t size;
    size_t used;
    bool full;
};

/* One conversion: pad is 0 when none was asked for. */
struct field {
    char pad;
    bool upper;
    bool swap;
    int width;
    char modifier; /* E, O or 0 */
};

/* Which conversions may have which modifier; in the C locale neither changes anything. */
static bool may_have(char conversion, char modifier) {
    if (modifier == 'E') return strchr("ABDFGHIMSUVWabdeghjklmw", conversion) == NULL;
    if (modifier == 'O') return strchr("ADFXYacx", conversion) == NULL;
    return true;
}

static void put(struct output *output, char c) {
    /* The last byte is the terminator's. */
    if (output->full || output->size - output->used < 2) {
        output->full = true;
    } else {
        output->to[output->used++] = c;
    }
}

static void put_padding(struct output *output, char c, long count) {
    for (; count > 0 && !output->full; count--) put(output, c);
}

static void put_text(struct output *output, const struct field *field, const char *text, size_t length) {
    put_padding(output, field->pad == '0' ? '0' : ' ', field->width - (long)length);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        put(output, field->upper ? (char)to_upper(c) : (char)c);
    }
}

static void put_name(struct output *output, struct field *field, const char *name, size_t length) {
    if (field->swap) field->upper = true;
    put_text(output, field, name, length);
}

/* A number with at least `digits` digits. */
static void put_number(struct output *output, const struct field *field, char pad, int digits, long value) {
    char text[24];
    size_t start = sizeof text;
    bool negative = value < 0;
    unsigned long rest = negative ? -(unsigned long)value : (unsigned long)value;
    do {
        text[--start] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    size_t length = sizeof text - start;
    if (field->pad != 0) pad = field->pad;
    /* Without padding the digits are as few as they are, but a width is a width. */
    if (pad == '-') digits = 0;
    if (field->width > digits) digits = field->width;
    long padding = digits - (long)length - negative;
    if (pad != '0') put_padding(output, ' ', padding);
    if (negative) put(output, '-');
    if (pad == '0') put_padding(output, '0', padding);
    for (size_t i = start; i < sizeof text; i++) put(output, text[i]);
}

/* ISO 8601 weeks start on Monday, and the first one has the year's first Thursday. */
static long iso_week_days(long yday, long wday) {
    long shifted = yday - wday + 4 + 7 * 53;
    return yday - shifted % 7 + 4 - 1;
}

static long days_in(long year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365; }

static void iso_week(const struct tm *tm, long *year, long *week) {
    *year = 1900L + tm->tm_year;
    long days = iso_week_days(tm->tm_yday, tm->tm_wday);
    if (days < 0) {
        --*year;
        days = iso_week_days(tm->tm_yday + days_in(*year), tm->tm_wday);
    } else {
        long next = iso_week_days(tm->tm_yday - days_in(*year), tm->tm_wday);
        if (next >= 0) {
            ++*year;
            days = next;
        }
    }
    *week = days / 7 + 1;
}

static void format_all(struct output *output, const char *format, const struct tm *tm, bool upper);

/* A conversion that stands for others. */
static void put_composite(struct output *output, const struct field *field, const char *format, const struct tm *tm) {
    char text[128];
    struct output inner = {.to = text, .size = sizeof text};
    format_all(&inner, format, tm, field->upper);
    put_text(output, &(struct field){.pad = field->pad, .width = field->width}, text, inner.used);
}

static void put_name_of(struct output *output, struct field *field, const char *const *names, int count, int index,
                        bool full) {
    if (index < 0 || index >= count) {
        put_name(output, field, "?", 1);
    } else {
        put_name(output, field, names[index], full ? strlen(names[index]) : 3);
    }
}

static void put_zone_offset(struct output *output, const struct field *field, const struct tm *tm) {
    if (tm->tm_isdst < 0) return;
    long minutes = tm->tm_gmtoff / 60;
    /* In glibc the width counts twice, for the sign and for the number. */
    put_text(output, field, minutes < 0 ? "-" : "+", 1);
    if (minutes < 0) minutes = -minutes;
    put_number(output, field, '0', 4, minutes / 60 * 100 + minutes % 60);
}

static long floor_mod(long value, long by) { return (value % by + by) % by; }
static long floor_divide(long value, long by) { return value / by - (value % by < 0); }

static bool put_date(struct output *output, struct field *field, char conversion, const struct tm *tm) {
    long year = 1900L + tm->tm_year;
    long week_year;
    long week;
    switch (conversion) {
        case 'C': put_number(output, field, '0', 1, floor_divide(year, 100)); return true;
        case 'd': put_number(output, field, '0', 2, tm->tm_mday); return true;
        case 'e': put_number(output, field, '_', 2, tm->tm_mday); return true;
        case 'G':
            iso_week(tm, &week_year, &week);
            put_number(output, field, '0', 1, week_year);
            return true;
        case 'g':
            iso_week(tm, &week_year, &week);
            put_number(output, field, '0', 2, floor_mod(week_year, 100));
            return true;
        case 'V':
            iso_week(tm, &week_year, &week);
            put_number(output, field, '0', 2, week);
            return true;
        case 'j': put_number(output, field, '0', 3, 1L + tm->tm_yday); return true;
        case 'm': put_number(output, field, '0', 2, 1L + tm->tm_mon); return true;
        case 'U': put_number(output, field, '0', 2, (tm->tm_yday - tm->tm_wday + 7) / 7); return true;
        case 'W': put_number(output, field, '0', 2, (tm->tm_yday - (tm->tm_wday + 6) % 7 + 7) / 7); return true;
        case 'u': put_number(output, field, '0', 1, (tm->tm_wday + 6) % 7 + 1); return true;
        case 'w': put_number(output, field, '0', 1, tm->tm_wday); return true;
        case 'Y': put_number(output, field, '0', 1, year); return true;
        case 'y': put_number(output, field, '0', 2, floor_mod(year, 100)); return true;
        default: return false;
    }
}

static bool put_clock(struct output *output, struct field *field, char conversion, const struct tm *tm) {
    int hour12 = tm->tm_hour > 12 ? tm->tm_hour - 12 : (tm->tm_hour == 0 ? 12 : tm->tm_hour);
    struct tm copy;
    char seconds[24];
    switch (conversion) {
        case 'H': put_number(output, field, '0', 2, tm->tm_hour); return true;
        case 'I': put_number(output, field, '0', 2, hour12); return true;
        case 'k': put_number(output, field, '_', 2, tm->tm_hour); return true;
        case 'l': put_number(output, field, '_', 2, hour12); return true;
        case 'M': put_number(output, field, '0', 2, tm->tm_min); return true;
        case 'S': put_number(output, field, '0', 2, tm->tm_sec); return true;
        case 's':
            copy = *tm;
            put_text(output, field, seconds, (size_t)snprintf(seconds, sizeof seconds, "%ld", mktime(&copy)));
            return true;
        case 'z': put_zone_offset(output, field, tm); return true;
        default: return false;
    }
}

static bool put_words(struct output *output, struct field *field, char conversion, const struct tm *tm) {
    const char *half = tm->tm_hour > 11 ? "PM" : "AM";
    switch (conversion) {
        case 'a': put_name_of(output, field, day_names, 7, tm->tm_wday, false); return true;
        case 'A': put_name_of(output, field, day_names, 7, tm->tm_wday, true); return true;
        case 'b':
        case 'h': put_name_of(output, field, month_names, 12, tm->tm_mon, false); return true;
        case 'B': put_name_of(output, field, month_names, 12, tm->tm_mon, true); return true;
        case 'P':
            field->upper = false;
            put_text(output, field, tm->tm_hour > 11 ? "pm" : "am", 2);
            return true;
        case 'p': put_text(output, field, field->swap ? (tm->tm_hour > 11 ? "pm" : "am") : half, 2); return true;
        case 'n': put_text(output, field, "\n", 1); return true;
        case 't': put_text(output, field, "\t", 1); return true;
        case '%': put_text(output, field, "%", 1); return true;
        case 'Z': {
            const char *zone = tm->tm_zone != NULL ? tm->tm_zone : "";
            char text[16];
            size_t length = strlen(zone);
            bool lower = field->swap && length < sizeof text;
            for (size_t i = 0; lower && i < length; i++) text[i] = (char)to_lower((unsigned char)zone[i]);
            put_text(output, field, lower ? text : zone, length);
            return true;
        }
        default: return false;
    }
}

static bool put_whole(struct output *output, struct field *field, char conversion, const struct tm *tm) {
    switch (conversion) {
        case 'c': put_composite(output, field, "%a %b %e %H:%M:%S %Y", tm); return true;
        case 'D':
        case 'x': put_composite(output, field, "%m/%d/%y", tm); return true;
        case 'F': put_composite(output, field, "%Y-%m-%d", tm); return true;
        case 'R': put_composite(output, field, "%H:%M", tm); return true;
        case 'r': put_composite(output, field, "%I:%M:%S %p", tm); return true;
        case 'T':
        case 'X': put_composite(output, field, "%H:%M:%S", tm); return true;
        default: return false;
    }
}

static const char *parse_field(const char *at, struct field *field) {
    for (;; at++) {
        if (*at == '_' || *at == '-' || *at == '0') {
            field->pad = *at;
        } else if (*at == '^') {
            field->upper = true;
        } else if (*at == '#') {
            field->swap = true;
        } else {
            break;
        }
    }
    for (; is_digit(*at); at++) {
        int digit = *at - '0';
        field->width = field->width > (INT_MAX - digit) / 10 ? INT_MAX : field->width * 10 + digit;
    }
    if (*at == 'E' || *at == 'O') field->modifier = *at++;
    return at;
}

static void format_all(struct output *output, const char *format, const struct tm *tm, bool upper) {
    while (*format != '\0') {
        if (*format != '%') {
            put(output, *format++);
            continue;
        }
        struct field field = {.upper = upper};
        const char *at = parse_field(format + 1, &field);
        bool known = *at != '\0' && may_have(*at, field.modifier);
        known = known && (put_date(output, &field, *at, tm) || put_clock(output, &field, *at, tm) ||
                     put_words(output, &field, *at, tm) || put_whole(output, &field, *at, tm));
        if (!known) {
            /* What is no conversion stands for itself, in its width. */
            const char *end = *at == '\0' ? at : at + 1;
            put_text(output, &field, format, (size_t)(end - format));
            format = end;
            continue;
        }
        format = at + 1;
    }
}

size_t strftime(char *restrict to, size_t size, const char *restrict format, const struct tm *restrict tm) {
    struct output output = {.to = to, .size = size};
    format_all(&output, format, tm, false);
    if (output.full || size == 0) return 0;
    to[output.used] = '\0';
    return output.used;
}
