/* locale.h: there is one locale, C. */
#include <langinfo.h>
#include <locale.h>
#include <string.h>

#include "internal.h"

char *setlocale(int category, const char *name) {
    if (category < LC_CTYPE || category > LC_IDENTIFICATION) {
        errno = EINVAL;
        return NULL;
    }
    bool known = name == NULL || *name == '\0' || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
    return known ? "C" : NULL;
}

struct lconv *localeconv(void) {
    static struct lconv conventions = {
        .decimal_point = ".",
        .thousands_sep = "",
        .grouping = "",
        .int_curr_symbol = "",
        .currency_symbol = "",
        .mon_decimal_point = "",
        .mon_thousands_sep = "",
        .mon_grouping = "",
        .positive_sign = "",
        .negative_sign = "",
        .int_frac_digits = CHAR_MAX,
        .frac_digits = CHAR_MAX,
        .p_cs_precedes = CHAR_MAX,
        .p_sep_by_space = CHAR_MAX,
        .n_cs_precedes = CHAR_MAX,
        .n_sep_by_space = CHAR_MAX,
        .p_sign_posn = CHAR_MAX,
        .n_sign_posn = CHAR_MAX,
        .int_p_cs_precedes = CHAR_MAX,
        .int_p_sep_by_space = CHAR_MAX,
        .int_n_cs_precedes = CHAR_MAX,
        .int_n_sep_by_space = CHAR_MAX,
        .int_p_sign_posn = CHAR_MAX,
        .int_n_sign_posn = CHAR_MAX,
    };
    return &conventions;
}

char *nl_langinfo(nl_item item) {
    static char *const days[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
    static char *const short_days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static char *const months[] = {"January", "February", "March",     "April",   "May",      "June",
                                   "July",    "August",   "September", "October", "November", "December"};
    static char *const short_months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    if (item >= DAY_1 && item <= DAY_7) return days[item - DAY_1];
    if (item >= ABDAY_1 && item <= ABDAY_7) return short_days[item - ABDAY_1];
    if (item >= MON_1 && item <= MON_12) return months[item - MON_1];
    if (item >= ABMON_1 && item <= ABMON_12) return short_months[item - ABMON_1];
    switch (item) {
        case CODESET: return "ANSI_X3.4-1968";
        case RADIXCHAR: return ".";
        case D_T_FMT: return "%a %b %e %H:%M:%S %Y";
        case D_FMT: return "%m/%d/%y";
        case T_FMT: return "%H:%M:%S";
        case T_FMT_AMPM: return "%I:%M:%S %p";
        case AM_STR: return "AM";
        case PM_STR: return "PM";
        case YESEXPR: return "^[yY]";
        case NOEXPR: return "^[nN]";
        default: return "";
    }
}
