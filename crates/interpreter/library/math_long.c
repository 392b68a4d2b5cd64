/* math.h for long double (x87: one sign bit, 15 bits of exponent, 64 bits of significand with an explicit one): those
 * functions whose results are exact or correctly rounded, on the bits. Rounding is to nearest, ties to even. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

int signgam;

/* Where long double is double, math_double.c has them. */
#if __LDBL_MANT_DIG__ == 64

/* value = (-1)^negative * mantissa * 2^(exponent - BIAS - 63). Biased exponent 0 means 1 with no leading one. */
struct bits {
    uint64_t mantissa;
    int exponent;
    bool negative;
};

enum { BIAS = 16383, SPECIAL = 0x7fff, LAST = 63 };
static const uint64_t TOP = 1ULL << 63;

static struct bits split(long double value) {
    struct bits bits;
    uint16_t rest;
    memcpy(&bits.mantissa, &value, 8);
    memcpy(&rest, (const char *)&value + 8, 2);
    bits.exponent = rest & SPECIAL;
    bits.negative = rest >> 15 != 0;
    return bits;
}

static long double join(struct bits bits) {
    long double value = 0;
    uint16_t rest = (uint16_t)(bits.exponent | bits.negative << 15);
    memcpy(&value, &bits.mantissa, 8);
    memcpy((char *)&value + 8, &rest, 2);
    return value;
}

static bool is_special(struct bits bits) { return bits.exponent == SPECIAL; }
static bool is_nan(struct bits bits) { return is_special(bits) && (bits.mantissa & ~TOP) != 0; }
static bool is_infinite(struct bits bits) { return is_special(bits) && (bits.mantissa & ~TOP) == 0; }
static bool is_zero(struct bits bits) { return bits.mantissa == 0; }

int __fpclassifyl(long double value) {
    struct bits bits = split(value);
    if (is_special(bits)) return is_nan(bits) ? FP_NAN : FP_INFINITE;
    if (is_zero(bits)) return FP_ZERO;
    return bits.mantissa & TOP ? FP_NORMAL : FP_SUBNORMAL;
}

int __isnanl(long double value) { return is_nan(split(value)); }
int __isinfl(long double value) {
    struct bits bits = split(value);
    return is_infinite(bits) ? (bits.negative ? -1 : 1) : 0;
}
int __finitel(long double value) { return !is_special(split(value)); }
int __signbitl(long double value) { return split(value).negative; }
int __issignalingl(long double value) {
    struct bits bits = split(value);
    return is_nan(bits) && (bits.mantissa >> 62 & 1) == 0;
}
int __iseqsigl(long double left, long double right) { return left == right; }
int isnanl(long double value) { return is_nan(split(value)); }
int isinfl(long double value) { return __isinfl(value); }
int finitel(long double value) { return !is_special(split(value)); }

long double fabsl(long double value) {
    struct bits bits = split(value);
    bits.negative = false;
    return join(bits);
}

long double copysignl(long double value, long double sign) {
    struct bits bits = split(value);
    bits.negative = split(sign).negative;
    return join(bits);
}

/* To an integer. What happens to the fraction is said by `mode`. */

enum mode { TOWARD_ZERO, DOWN, UP, NEAREST_EVEN, NEAREST_AWAY };

static bool rounds_away(enum mode mode, bool negative, bool odd, uint64_t fraction, uint64_t half) {
    switch (mode) {
        case DOWN: return negative && fraction != 0;
        case UP: return !negative && fraction != 0;
        case NEAREST_EVEN: return fraction > half || (fraction == half && odd);
        case NEAREST_AWAY: return fraction >= half;
        default: return false;
    }
}

static long double to_integer(long double value, enum mode mode) {
    struct bits bits = split(value);
    int places = bits.exponent - BIAS; /* bits left of the point, less one */
    if (is_special(bits)) return value + value;
    if (places >= LAST || is_zero(bits)) return value;
    if (places < 0) {
        /* Below one: only one half and its neighbours matter. */
        bool half_or_more = places == -1;
        bool above_half = half_or_more && bits.mantissa != TOP;
        bool away = (mode == DOWN && bits.negative) || (mode == UP && !bits.negative) ||
                    (mode == NEAREST_EVEN && above_half) || (mode == NEAREST_AWAY && half_or_more);
        return join((struct bits){away ? TOP : 0, away ? BIAS : 0, bits.negative});
    }
    int cut = LAST - places;
    uint64_t unit = 1ULL << cut;
    uint64_t fraction = bits.mantissa & (unit - 1);
    uint64_t whole = bits.mantissa - fraction;
    if (rounds_away(mode, bits.negative, (whole & unit) != 0, fraction, unit >> 1)) {
        whole += unit;
        if (whole == 0) {
            whole = TOP;
            bits.exponent++;
        }
    }
    bits.mantissa = whole;
    return join(bits);
}

long double truncl(long double value) { return to_integer(value, TOWARD_ZERO); }
long double floorl(long double value) { return to_integer(value, DOWN); }
long double ceill(long double value) { return to_integer(value, UP); }
long double rintl(long double value) { return to_integer(value, NEAREST_EVEN); }
long double nearbyintl(long double value) { return to_integer(value, NEAREST_EVEN); }
long double roundevenl(long double value) { return to_integer(value, NEAREST_EVEN); }
long double roundl(long double value) { return to_integer(value, NEAREST_AWAY); }

/* What does not fit has no defined result; the hardware's is the smallest number. */
static long long to_long(long double integer) {
    if (!(integer >= -0x1p63L && integer < 0x1p63L)) return LONG_MIN;
    return (long)integer;
}

long lrintl(long double value) { return (long)to_long(rintl(value)); }
long long llrintl(long double value) { return to_long(rintl(value)); }
long lroundl(long double value) { return (long)to_long(roundl(value)); }
long long llroundl(long double value) { return to_long(roundl(value)); }

long double modfl(long double value, long double *whole) {
    *whole = truncl(value);
    if (is_infinite(split(value))) return copysignl(0, value);
    return copysignl(value - *whole, value);
}

/* By exponents. */

/* A finite number that is not zero, with its leading one at the top; the exponent may then be below 1. */
static struct bits shift_up(struct bits bits) {
    while (!(bits.mantissa & TOP)) {
        bits.mantissa <<= 1;
        bits.exponent--;
    }
    return bits;
}

static struct bits normalise(struct bits bits) {
    if (bits.exponent == 0) bits.exponent = 1;
    return shift_up(bits);
}

/* The nearest number to one whose significand has its leading one at the top and whose exponent may be any. */
static long double pack(struct bits bits) {
    if (bits.exponent >= SPECIAL) {
        errno = ERANGE;
        return join((struct bits){TOP, SPECIAL, bits.negative});
    }
    if (bits.exponent >= 1) return join(bits);
    int shift = 1 - bits.exponent;
    bits.exponent = 0;
    if (shift > 64) {
        bits.mantissa = 0;
    } else {
        uint64_t half = 1ULL << (shift - 1);
        uint64_t cut = bits.mantissa & (half | (half - 1));
        bits.mantissa = shift == 64 ? 0 : bits.mantissa >> shift;
        if (cut > half || (cut == half && (bits.mantissa & 1))) bits.mantissa++;
        if (bits.mantissa & TOP) bits.exponent = 1;
    }
    if (bits.mantissa == 0) errno = ERANGE;
    return join(bits);
}

static long double scale(long double value, long by) {
    struct bits bits = split(value);
    if (is_special(bits)) return value + value;
    if (is_zero(bits)) return value;
    bits = normalise(bits);
    if (by > 50000) by = 50000;
    if (by < -50000) by = -50000;
    bits.exponent += (int)by;
    return pack(bits);
}

long double ldexpl(long double value, int by) { return scale(value, by); }
long double scalbnl(long double value, int by) { return scale(value, by); }
long double scalblnl(long double value, long by) { return scale(value, by); }

long double frexpl(long double value, int *exponent) {
    struct bits bits = split(value);
    *exponent = 0;
    if (is_special(bits)) return value + value;
    if (is_zero(bits)) return value;
    bits = normalise(bits);
    *exponent = bits.exponent - BIAS + 1;
    bits.exponent = BIAS - 1;
    return join(bits);
}

int ilogbl(long double value) {
    struct bits bits = split(value);
    if (is_zero(bits) || is_special(bits)) {
        errno = EDOM;
        if (is_zero(bits)) return FP_ILOGB0;
        return is_nan(bits) ? FP_ILOGBNAN : INT_MAX;
    }
    return normalise(bits).exponent - BIAS;
}

long double logbl(long double value) {
    struct bits bits = split(value);
    if (is_special(bits)) return is_nan(bits) ? value + value : HUGE_VALL;
    if (is_zero(bits)) {
        errno = ERANGE;
        return -HUGE_VALL;
    }
    return normalise(bits).exponent - BIAS;
}

/* Arithmetic. */

static long double invalid(void) {
    errno = EDOM;
    return join((struct bits){3ULL << 62, SPECIAL, true});
}

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 wide;
#else
__extension__ typedef unsigned _BitInt(128) wide;
#endif

/* Digit by digit on 128 bits. The root of a significand is never halfway between two numbers, so the remainder alone
 * decides how to round. */
long double sqrtl(long double value) {
    struct bits bits = split(value);
    if (is_nan(bits) || is_zero(bits)) return value + value;
    if (bits.negative) return invalid();
    if (is_infinite(bits)) return value;
    bits = normalise(bits);
    int exponent = bits.exponent - BIAS;
    bool odd = (exponent & 1) != 0;
    wide radicand = (wide)bits.mantissa << (odd ? 64 : 63);
    exponent = (exponent - odd) / 2;
    wide root = 0;
    wide rest = radicand;
    for (wide bit = (wide)1 << 126; bit != 0; bit >>= 2) {
        if (rest >= root + bit) {
            rest -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    if (rest > root) root++;
    return join((struct bits){(uint64_t)root, exponent + BIAS, false});
}

/* The remainder of finite numbers that are not zero, one binary place at a time. */
static long double remainder_of(struct bits x, struct bits y) {
    x = normalise(x);
    y = normalise(y);
    if (x.exponent < y.exponent) return pack(x);
    wide rest = x.mantissa;
    for (int exponent = x.exponent;; exponent--) {
        if (rest >= y.mantissa) rest -= y.mantissa;
        if (exponent == y.exponent) break;
        rest <<= 1;
    }
    if (rest == 0) return join((struct bits){0, 0, x.negative});
    return pack(shift_up((struct bits){(uint64_t)rest, y.exponent, x.negative}));
}

long double fmodl(long double x, long double y) {
    struct bits a = split(x);
    struct bits b = split(y);
    if (is_nan(a) || is_nan(b)) return x + y;
    if (is_infinite(a) || is_zero(b)) return invalid();
    if (is_infinite(b) || is_zero(a)) return x;
    return remainder_of(a, b);
}

long double fmaxl(long double left, long double right) {
    if (is_nan(split(left))) return right;
    if (is_nan(split(right))) return left;
    return left > right ? left : right;
}

long double fminl(long double left, long double right) {
    if (is_nan(split(left))) return right;
    if (is_nan(split(right))) return left;
    return left <= right ? left : right;
}

long double fdiml(long double left, long double right) {
    if (left <= right) return 0;
    long double difference = left - right;
    if (is_infinite(split(difference)) && !is_special(split(left)) && !is_special(split(right))) errno = ERANGE;
    return difference;
}

long double nextafterl(long double from, long double to) {
    struct bits bits = split(from);
    if (is_nan(bits) || is_nan(split(to))) return from + to;
    if (from == to) return to;
    if (is_zero(bits)) {
        errno = ERANGE;
        return join((struct bits){1, 0, split(to).negative});
    }
    bool grow = (from < to) != bits.negative;
    if (grow) {
        bits.mantissa++;
        if (bits.mantissa == 0) {
            bits.mantissa = TOP;
            bits.exponent++;
        } else if (bits.exponent == 0 && (bits.mantissa & TOP)) {
            bits.exponent = 1;
        }
    } else if (is_infinite(bits)) {
        bits.mantissa = UINT64_MAX;
        bits.exponent--;
    } else {
        bits.mantissa--;
        if (bits.exponent > 0 && !(bits.mantissa & TOP)) {
            if (bits.exponent > 1) bits.mantissa |= TOP;
            bits.exponent--;
        }
    }
    if (is_special(bits)) {
        bits.mantissa = TOP;
        errno = ERANGE;
    } else if (bits.exponent == 0) {
        errno = ERANGE;
    }
    return join(bits);
}

long double nexttowardl(long double from, long double to) { return nextafterl(from, to); }

long double nanl(const char *tag) {
    char text[64];
    snprintf(text, sizeof text, "NAN(%.40s)", tag);
    return strtold(text, NULL);
}

double nexttoward(double x, long double y) {
    if (x != x || y != y) {
        return x + (double)y;
    }
    if ((long double)x == y) {
        return (double)y;
    }
    return nextafter(x, (long double)x < y ? __builtin_inf() : -__builtin_inf());
}

float nexttowardf(float x, long double y) {
    if (x != x || y != y) {
        return x + (float)y;
    }
    if ((long double)x == y) {
        return (float)y;
    }
    return nextafterf(x, (long double)x < y ? __builtin_inff() : -__builtin_inff());
}

#endif
