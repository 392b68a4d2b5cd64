/* Text to numbers: value, end and errno. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <wchar.h>

#include "check.h"

TWIN(strtol);
TWIN(strtoul);
TWIN(strtoll);
TWIN(strtoull);
TWIN(strtoimax);
TWIN(strtoumax);
TWIN(strtof);
TWIN(strtod);
TWIN(strtold);
TWIN(atoi);
TWIN(atol);
TWIN(atof);
TWIN(wcstol);
TWIN(wcstod);
extern long cov___isoc23_strtol(const char *, char **, int);

#define COMPARE(function, text, ...)                                                                          \
    do {                                                                                                      \
        char *end = (char *)1;                                                                                \
        char *cov_end = (char *)1;                                                                            \
        errno = cov_errno = 0;                                                                                \
        __auto_type wanted = function(text, &end, ##__VA_ARGS__);                                             \
        __auto_type got = cov_##function(text, &cov_end, ##__VA_ARGS__);                                      \
        bool same = memcmp(&wanted, &got, sizeof wanted > 10 ? 10 : sizeof wanted) == 0;                      \
        CHECK(same && end == cov_end && errno == cov_errno, #function " \"%s\": end %td errno %d, got %td errno %d%s", \
              show(text), end - text, errno, cov_end - text, cov_errno, same ? "" : ", value differs");       \
    } while (0)

static void integer(const char *text, int base) {
    COMPARE(strtol, text, base);
    COMPARE(strtoul, text, base);
    COMPARE(strtoll, text, base);
    COMPARE(strtoull, text, base);
    COMPARE(strtoimax, text, base);
    COMPARE(strtoumax, text, base);
}

void check_strtol(void) {
    static const char *const texts[] = {
        "", " ", "-", "+", "0", "-0", "0x", "0xg", "0x1", "-0x1", "0X7fffffffffffffff", "08", "0b1", "z", "Zz",
        "  12abc", "\t\n\v\f\r 5", "+-5", "--5", "- 5", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809", "18446744073709551615", "18446744073709551616", "-18446744073709551615",
        "-18446744073709551616", "99999999999999999999999999z", "0x8000000000000000", "0xffffffffffffffff",
        "0x10000000000000000", "777777777777777777777", "2000000000000000000000", "1e5", "1.5", "0x0x1", "00x1",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (int base = -1; base <= 38; base++) integer(texts[i], base);
        CHECK(atoi(texts[i]) == cov_atoi(texts[i]), "atoi %s", texts[i]);
        CHECK(atol(texts[i]) == cov_atol(texts[i]), "atol %s", texts[i]);
    }
    static const char characters[] = "0123456789abcdefxXzZ+- 0000999";
    for (int round = 0; round < 100000; round++) {
        char text[32];
        unsigned length = below(28);
        for (unsigned i = 0; i < length; i++) text[i] = characters[below(sizeof characters - 1)];
        text[length] = '\0';
        integer(text, (int[]){0, 10, 16, 8, 2, 36, 7}[below(7)]);
    }
    CHECK(cov___isoc23_strtol("0b101", NULL, 0) == 5, "0b101");
    wchar_t *end;
    CHECK(cov_wcstol(L" -42xyz", &end, 10) == -42 && *end == L'x', "wcstol");
    CHECK(cov_wcstod(L"2.5e1\u00e9", &end) == 25 && *end == L'\u00e9', "wcstod");
}

static void real(const char *text) {
    COMPARE(strtof, text);
    COMPARE(strtod, text);
    COMPARE(strtold, text);
}

/* Numbers near the smallest normal one and below, where errno depends on whether the result is exact. */
static void tiny_numbers(void) {
    char text[20000];
    for (int round = 0; round < 300; round++) {
        uint64_t mantissa = chance() >> 11 >> below(53);
        double value = ldexp((double)mantissa, -1074 - (int)below(3));
        snprintf(text, sizeof text, "%.1080f", value);
        real(text);
        snprintf(text, sizeof text, "%.17g", value);
        real(text);
        snprintf(text, sizeof text, "%a", value);
        real(text);
        snprintf(text, sizeof text, "%.200f", (double)ldexpf((float)(mantissa & 0xffffff), -149 - (int)below(3)));
        real(text);
        snprintf(text, sizeof text, "0x0.%013lxp-%d", (unsigned long)mantissa, 1020 + (int)below(8));
        real(text);
        snprintf(text, sizeof text, "0x%lx.%lxp-%d", (unsigned long)chance() >> below(64),
                 (unsigned long)chance() >> below(64), 1040 + (int)below(60));
        real(text);
        snprintf(text, sizeof text, "0x%lx.%lxp-%d", (unsigned long)chance() >> below(64),
                 (unsigned long)chance() >> below(64), 120 + (int)below(60));
        real(text);
        snprintf(text, sizeof text, "0x%lx.%lxp-%d", (unsigned long)chance() >> below(64),
                 (unsigned long)chance() >> below(64), 16400 + (int)below(60));
        real(text);
    }
    for (int round = 0; round < 3; round++) {
        long double value = ldexpl((long double)(chance() >> 8), -16445 - round);
        snprintf(text, sizeof text, "%.16450Lf", value);
        real(text);
        snprintf(text, sizeof text, "%.30Lg", value);
        real(text);
    }
    static const char *const edges[] = {
        "2.2250738585072014e-308", "2.2250738585072013e-308", "2.2250738585072011e-308", "2.225073858507201e-308",
        "2.2250738585072012e-308", "2.22507385850720125958e-308", "2.22507385850720113605e-308",
        "2.2250738585072013e-308", "0x0.fffffffffffffp-1022", "0x0.fffffffffffff8p-1022", "0x0.fffffffffffffcp-1022",
        "0x0.fffffffffffff7p-1022", "0x0.fffffffffffffbffp-1022", "0x0.ffffffp-126", "0x0.ffffff8p-126",
        "0x0.ffffff7p-126", "0x1p-149", "0x1p-150", "0x1.8p-150", "0x1p-1074", "0x1p-1075", "0x1.000001p-1075",
        "0x1p-16445", "0x1p-16446", "0x1p-99999999999999", "1e-99999999999999999999", "1e99999999999999999999",
        "0e99999999999999999999", "0x0p99999999999999999999", "1.17549435e-38", "1.1754943508222875e-38",
        "1.17549432e-38", "1.1754943157898259e-38", "1.17549429e-38", "1.1754943e-38", "1.4e-45", "7e-46", "7.1e-46",
        "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "3.6e-4951", "1.8e-4951",
        "3.3621031431120935063e-4932", "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308",
        "3.4028234663852886e38", "3.4028235677973366e38", "3.4028235e38", "1.18973149535723176502e+4932",
        "1.2e4932", "0x1.fffffffffffff7p1023", "0x1.fffffffffffff8p1023", "0x1.ffffffp127",
    };
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) real(edges[i]);
}

void check_strtod(void) {
    static const char *const texts[] = {
        "", " ", ".", "-", "+.", "0", "-0", "0.0", "1", "-1", "+1.5", ".5", "5.", "1e5", "1e", "1e+", "1e-", "1e+5",
        "1e5.5", "1E5", "1.2.3", "  3.25abc", "\t\n\v\f\r1", "0x", "0x.", "0xg", "0x1", "0x1.", "0x.8", "0x1.8p",
        "0x1.8p+",
        "0x1.8p3", "0X1.8P-3", "0x1p5p5", "0x1e5", "inf", "-inf", "+inf", "INF", "infinity", "infinit", "infinityx",
        "in", "nan", "-nan", "NAN", "nan()", "nan(123)", "nan(0x123)", "nan(12z)", "nan(12", "nan(1 2)", "nan(_a)",
        "nan(-1)",
        "nan(99999999999999999999999)", "nan(0)", "-nan(5)", "na", "e5", ".e5", "-.e", "0x.p1", "00012", "0x00.1",
        "123456789012345678901234567890", "0.1", "1e23", "9007199254740993", "9007199254740992.5", "8.5e-1x",
        "0.000000000000000000000000000001", "1_000", "1,5", "0e", "0e5", "0e-", "1ee5", "--1", "+-1", "- 1", "0b11",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        real(texts[i]);
        double wanted = atof(texts[i]);
        double got = cov_atof(texts[i]);
        CHECK(memcmp(&wanted, &got, sizeof got) == 0, "atof %s", texts[i]);
    }
    tiny_numbers();
    static const char characters[] = "00112345679..eEpP+-xXinfnatyINF()_ aAbcf";
    for (int round = 0; round < 150000; round++) {
        char text[40];
        unsigned length = below(16);
        unsigned used = 0;
        if (below(3) == 0) used = (unsigned)sprintf(text, "%s", below(2) ? "0x" : "-0X");
        for (unsigned i = 0; i < length; i++) text[used++] = characters[below(sizeof characters - 1)];
        text[used] = '\0';
        real(text);
    }
    for (int round = 0; round < 60000; round++) {
        char text[64];
        snprintf(text, sizeof text, "%lu.%lue%d", (unsigned long)(chance() >> below(64)), (unsigned long)chance(),
                 (int)below(round % 2 ? 9950 : 700) - (round % 2 ? 4990 : 350));
        real(text);
    }
}
