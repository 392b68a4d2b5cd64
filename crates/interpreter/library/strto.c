/* stdlib.h and inttypes.h: text to integers. */
#include <inttypes.h>
#include <stdlib.h>

#include "internal.h"

struct integer {
    uint64_t magnitude;
    bool negative;
    bool overflow;
    /* It has so few digits that every type of 64 bits has room for it. */
    bool fits;
    /* NULL: the base is not one; the start of the text: there is no number. */
    const char *end;
};

/* The base that a prefix gives, and the prefix skipped. A prefix without a digit behind it is only its zero. */
static const char *skip_prefix(const char *at, int *base, bool binary) {
    if (*base != 0 && *base != 16 && !(binary && *base == 2)) return at;
    if (at[0] == '0') {
        int letter = to_lower((unsigned char)at[1]);
        if (letter == 'x' && (*base == 0 || *base == 16) && digit_in((unsigned char)at[2], 16) >= 0) {
            *base = 16;
            return at + 2;
        }
        if (binary && letter == 'b' && (*base == 0 || *base == 2) && digit_in((unsigned char)at[2], 2) >= 0) {
            *base = 2;
            return at + 2;
        }
        if (*base == 0) *base = 8;
    }
    if (*base == 0) *base = 10;
    return at;
}

static struct integer parse(const char *text, int base, bool binary) {
    struct integer result = {0};
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return result;
    }
    const char *at = text;
    while (is_space((unsigned char)*at)) at++;
    if ((int)(*at == '-') | (int)(*at == '+')) {
        result.negative = *at == '-';
        at++;
    }
    at = skip_prefix(at, &base, binary);
    result.end = text;
    uint64_t limit = UINT64_MAX / (uint64_t)base;
    long sure = base <= 10 ? 18 : base <= 16 ? 15 : 12, count = 0;
    for (int digit; (digit = digit_in((unsigned char)*at, base)) >= 0; at++, count++) {
        result.end = at + 1;
        if (count < sure) {
            result.magnitude = result.magnitude * (uint64_t)base + (uint64_t)digit;
            continue;
        }
        uint64_t shifted = result.magnitude * (uint64_t)base;
        if (result.magnitude > limit || shifted > UINT64_MAX - (uint64_t)digit) {
            result.overflow = true;
            result.magnitude = UINT64_MAX;
        } else {
            result.magnitude = shifted + (uint64_t)digit;
        }
    }
    result.fits = count <= sure;
    return result;
}

/* The number as the type has it. */
static uint64_t with_sign(const struct integer *integer) {
    uint64_t sign = -(uint64_t)integer->negative;
    return (integer->magnitude ^ sign) - sign;
}

/* `most` is the largest number of the type. */
static int64_t to_signed(const char *restrict text, char **restrict end, int base, bool binary, uint64_t most) {
    struct integer result = parse(text, base, binary);
    if (result.end == NULL) return 0;
    if (end != NULL) *end = (char *)result.end;
    bool is_sure = result.fits && most >= INT64_MAX;
    if (!is_sure && (result.overflow || result.magnitude > most + (uint64_t)result.negative)) {
        errno = ERANGE;
        return (int64_t)(result.negative ? -most - 1 : most);
    }
    return (int64_t)with_sign(&result);
}

static uint64_t to_unsigned(const char *restrict text, char **restrict end, int base, bool binary, uint64_t most) {
    struct integer result = parse(text, base, binary);
    if (result.end == NULL) return 0;
    if (end != NULL) *end = (char *)result.end;
    bool is_sure = result.fits && most >= INT64_MAX;
    if (!is_sure && (result.overflow || result.magnitude > most)) {
        errno = ERANGE;
        return most;
    }
    return with_sign(&result);
}

#define SIGNED(type, name, binary)                                                             \
    type name(const char *restrict text, char **restrict end, int base) {                      \
        return (type)to_signed(text, end, base, binary, UINT64_MAX >> (65 - 8 * sizeof(type))); \
    }
#define UNSIGNED(type, name, binary)                                                              \
    type name(const char *restrict text, char **restrict end, int base) {                         \
        return (type)to_unsigned(text, end, base, binary, UINT64_MAX >> (64 - 8 * sizeof(type))); \
    }

SIGNED(long, strtol, false)
SIGNED(long long, strtoll, false)
SIGNED(long long, strtoq, false)
SIGNED(intmax_t, strtoimax, false)
UNSIGNED(unsigned long, strtoul, false)
UNSIGNED(unsigned long long, strtoull, false)
UNSIGNED(unsigned long long, strtouq, false)
UNSIGNED(uintmax_t, strtoumax, false)

/* The names that headers of glibc 2.38 and later produce: there 0b is a prefix too. */
SIGNED(long, __isoc23_strtol, true)
SIGNED(long long, __isoc23_strtoll, true)
SIGNED(intmax_t, __isoc23_strtoimax, true)
UNSIGNED(unsigned long, __isoc23_strtoul, true)
UNSIGNED(unsigned long long, __isoc23_strtoull, true)
UNSIGNED(uintmax_t, __isoc23_strtoumax, true)

int atoi(const char *text) { return (int)strtol(text, NULL, 10); }
long atol(const char *text) { return strtol(text, NULL, 10); }
long long atoll(const char *text) { return strtoll(text, NULL, 10); }
