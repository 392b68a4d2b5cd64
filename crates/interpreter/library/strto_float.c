/* stdlib.h: text to floating point. The syntax and the range errors are decided here; the machine rounds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static bool starts_with(const char *text, const char *word) {
    for (; *word != '\0'; text++, word++) {
        if (to_lower((unsigned char)*text) != *word) return false;
    }
    return true;
}

static bool is_mantissa_digit(int c, bool hex) { return hex ? digit_value(c) < 16 : is_digit(c); }

/* The end of a number's digits, point and exponent; start when there is no digit. */
static const char *scan_number(const char *start, bool hex) {
    const char *at = start;
    bool any = false;
    for (; is_mantissa_digit((unsigned char)*at, hex); at++) any = true;
    if (*at == '.') {
        at++;
        for (; is_mantissa_digit((unsigned char)*at, hex); at++) any = true;
    }
    if (!any) return start;
    if (to_lower((unsigned char)*at) == (hex ? 'p' : 'e')) {
        const char *exponent = at + 1;
        if (*exponent == '+' || *exponent == '-') exponent++;
        if (is_digit((unsigned char)*exponent)) {
            while (is_digit((unsigned char)*exponent)) exponent++;
            return exponent;
        }
    }
    return at;
}

struct float_text __lib_scan_float(const char *text) {
    struct float_text result = {.start = text, .end = text, .kind = FLOAT_NONE};
    const char *at = text;
    while (is_space((unsigned char)*at)) at++;
    if (*at == '+' || *at == '-') {
        result.negative = *at == '-';
        at++;
    }
    result.start = at;
    if (starts_with(at, "inf")) {
        result.kind = FLOAT_INFINITY;
        result.end = at + (starts_with(at, "infinity") ? 8 : 3);
        return result;
    }
    if (starts_with(at, "nan")) {
        result.kind = FLOAT_NAN;
        result.end = at + 3;
        if (at[3] == '(') {
            const char *inside = at + 4;
            while (digit_value((unsigned char)*inside) < 36 || *inside == '_') inside++;
            if (*inside == ')') result.end = inside + 1;
        }
        return result;
    }
    const char *end = at;
    if (at[0] == '0' && to_lower((unsigned char)at[1]) == 'x') {
        end = scan_number(at + 2, true);
        if (end == at + 2) end = at + 1;
    } else {
        end = scan_number(at, false);
    }
    if (end != at) {
        result.kind = FLOAT_NUMBER;
        result.end = end;
    }
    return result;
}

/* What a binary format can hold. */
struct format {
    int precision;      /* bits, with the leading one */
    int lowest_normal;  /* exponent of the smallest normal number */
    int decimal_digits; /* enough for the exact decimal expansion of any number near the smallest normal one */
};
static const struct format float_format = {24, -126, 160};
static const struct format double_format = {53, -1022, 800};
#if __LDBL_MANT_DIG__ == 64
static const struct format long_double_format = {64, -16382, 11600};
#endif

/* The number after the e or p at `at`; one of a thousand million says as much as any that is larger. */
static long scan_exponent(const char *at, const char *end) {
    if (at == end) return 0;
    at++;
    bool negative = *at == '-';
    if (*at == '+' || *at == '-') at++;
    long value = 0;
    for (; at < end; at++) {
        value = value * 10 + (*at - '0');
        if (value > 1000000000) value = 1000000000;
    }
    return negative ? -value : value;
}

/* The bits of a hexadecimal number, by their exponents of two. */
struct hex_bits {
    bool any;
    long highest;
    long lowest;
    long ones; /* how many ones follow each other from the highest on */
};

static struct hex_bits scan_hex_bits(const char *start, const char *end) {
    const char *exponent = start;
    while (exponent < end && to_lower((unsigned char)*exponent) != 'p') exponent++;
    long place = scan_exponent(exponent, end);
    for (const char *at = start; at < exponent && *at != '.'; at++) place += 4;

    struct hex_bits bits = {0};
    bool run = true;
    for (const char *at = start; at < exponent; at++) {
        if (*at == '.') continue;
        int digit = digit_value((unsigned char)*at);
        for (int bit = 3; bit >= 0; bit--) {
            place--;
            bool one = (digit >> bit & 1) != 0;
            if (one) {
                if (!bits.any) bits.highest = place;
                bits.any = true;
                bits.lowest = place;
                if (run) bits.ones++;
            } else if (bits.any) {
                run = false;
            }
        }
    }
    return bits;
}

static bool hex_is_tiny(const char *start, const char *end, const struct format *format) {
    struct hex_bits bits = scan_hex_bits(start, end);
    if (!bits.any || bits.highest >= format->lowest_normal) return false;
    bool exact = bits.lowest >= format->lowest_normal - format->precision + 1;
    bool rounds_up = bits.highest == format->lowest_normal - 1 && bits.ones > format->precision;
    return !exact && !rounds_up;
}

/* The order of a decimal number (not zero) and the value whose exact expansion is `digits`, as %e writes it. */
static int compare_expansion(const char *start, const char *end, const char *digits, size_t length) {
    const char *exponent = start;
    while (exponent < end && to_lower((unsigned char)*exponent) != 'e') exponent++;
    const char *other_exponent = digits;
    while (*other_exponent != 'e') other_exponent++;
    long other_place = scan_exponent(other_exponent, digits + length);

    const char *at = start;
    long place = -1; /* of the first digit that is not zero, as a power of ten */
    for (const char *p = start; p < exponent && *p != '.'; p++) place++;
    while (*at == '0' || *at == '.') {
        if (*at == '0') place--;
        at++;
    }
    place += scan_exponent(exponent, end);
    if (digits[0] == '0') return 1;
    if (place != other_place) return place < other_place ? -1 : 1;
    const char *other = digits;
    while (at < exponent || other < other_exponent) {
        if (at < exponent && *at == '.') at++;
        if (other < other_exponent && *other == '.') other++;
        char a = at < exponent ? *at++ : '0';
        char b = other < other_exponent ? *other++ : '0';
        if (a != b) return a < b ? -1 : 1;
    }
    return 0;
}

/* The widest type that can be written in digits: where long double is another one, double is. */
#if __LDBL_MANT_DIG__ == 64
typedef long double widest;
enum { WIDEST_PRECISION = 64 };
#define format_widest(to, capacity, value, digits) __covenant_format_long_double(to, capacity, &(value), 'e', digits, 0)
#else
typedef double widest;
enum { WIDEST_PRECISION = 53 };
#define format_widest(to, capacity, value, digits) __covenant_format_double(to, capacity, value, 'e', digits, 0)
#endif

static int compare_decimal(const struct float_text *text, widest value, const struct format *format) {
    size_t capacity = (size_t)format->decimal_digits + 16;
    char *digits = __lib_alloc(capacity);
    size_t length = format_widest(digits, capacity, value, format->decimal_digits);
    int order = compare_expansion(text->start, text->end, digits, length);
    __covenant_free(digits);
    return order;
}

/* Whether the exact number, rounded to the precision but with any exponent, lies below the smallest normal number and
 * was rounded once more: then errno becomes ERANGE. value is the rounded result. */
static bool is_tiny(const struct float_text *text, widest value, widest smallest, const struct format *format) {
    if (value > smallest) return false;
    bool hex = text->end - text->start > 2 && to_lower((unsigned char)text->start[1]) == 'x';
    if (hex) return hex_is_tiny(text->start + 2, text->end, format);
    bool zero = true;
    for (const char *at = text->start; at < text->end && to_lower((unsigned char)*at) != 'e'; at++) {
        if (*at != '0' && *at != '.') zero = false;
    }
    if (zero) return false;
    if (value == 0) return true;
    if (value < smallest) return compare_decimal(text, value, format) != 0;
    /* The last quarter of a step below the smallest normal number still rounds up to it; of the widest type there
     * is none that holds that quarter. */
    if (format->precision == WIDEST_PRECISION) return false;
    widest step = smallest;
    for (int i = 0; i < format->precision + 1; i++) step /= 2;
    return compare_decimal(text, smallest - step, format) < 0;
}

/* The payload of nan(...), when it is an integer to the last character. */
static uint64_t nan_payload(const struct float_text *text) {
    if (text->end - text->start <= 5) return 0;
    char *end;
    uint64_t payload = strtoull(text->start + 4, &end, 0);
    return *end == ')' ? payload : 0;
}

float strtof(const char *restrict text, char **restrict end) {
    struct float_text found = __lib_scan_float(text);
    if (end != NULL) *end = (char *)(found.kind == FLOAT_NONE ? text : found.end);
    float value = 0;
    if (found.kind == FLOAT_NONE) return 0;
    if (found.kind == FLOAT_INFINITY) value = HUGE_VALF;
    if (found.kind == FLOAT_NAN) {
        uint32_t bits = 0x7fc00000 | (uint32_t)(nan_payload(&found) & 0x3fffff) | (uint32_t)found.negative << 31;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (found.kind == FLOAT_NUMBER) {
        value = __covenant_parse_float(found.start, (size_t)(found.end - found.start));
        if (value == HUGE_VALF || is_tiny(&found, value, 0x1p-126L, &float_format)) errno = ERANGE;
    }
    return found.negative ? -value : value;
}

double strtod(const char *restrict text, char **restrict end) {
    struct float_text found = __lib_scan_float(text);
    if (end != NULL) *end = (char *)(found.kind == FLOAT_NONE ? text : found.end);
    double value = 0;
    if (found.kind == FLOAT_NONE) return 0;
    if (found.kind == FLOAT_INFINITY) value = HUGE_VAL;
    if (found.kind == FLOAT_NAN) {
        uint64_t bits = 0x7ff8000000000000 | (nan_payload(&found) & 0x7ffffffffffff) | (uint64_t)found.negative << 63;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (found.kind == FLOAT_NUMBER) {
        value = __covenant_parse_double(found.start, (size_t)(found.end - found.start));
        if (value == HUGE_VAL || is_tiny(&found, value, 0x1p-1022L, &double_format)) errno = ERANGE;
    }
    return found.negative ? -value : value;
}

#if __LDBL_MANT_DIG__ == 64
long double strtold(const char *restrict text, char **restrict end) {
    struct float_text found = __lib_scan_float(text);
    if (end != NULL) *end = (char *)(found.kind == FLOAT_NONE ? text : found.end);
    long double value = 0;
    if (found.kind == FLOAT_NONE) return 0;
    if (found.kind == FLOAT_INFINITY) value = HUGE_VALL;
    if (found.kind == FLOAT_NAN) {
        uint64_t mantissa = 0xc000000000000000 | (nan_payload(&found) & 0x3fffffffffffffff);
        uint16_t rest = (uint16_t)(0x7fff | (unsigned)found.negative << 15);
        memcpy(&value, &mantissa, sizeof mantissa);
        memcpy((char *)&value + sizeof mantissa, &rest, sizeof rest);
        return value;
    }
    if (found.kind == FLOAT_NUMBER) {
        __covenant_parse_long_double(found.start, (size_t)(found.end - found.start), &value);
        if (value == HUGE_VALL || is_tiny(&found, value, 0x1p-16382L, &long_double_format)) errno = ERANGE;
    }
    return found.negative ? -value : value;
}
#else
long double strtold(const char *restrict text, char **restrict end) { return strtod(text, end); }
#endif

double atof(const char *text) { return strtod(text, NULL); }
