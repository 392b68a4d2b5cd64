/* Long double on random bits, against the C library's. */
#include <math.h>

#include "check.h"

#define UNARY(X) \
    X(fabsl) X(floorl) X(ceill) X(truncl) X(roundl) X(rintl) X(nearbyintl) X(sqrtl) X(logbl)
#define BINARY(X) X(fmodl) X(copysignl) X(fminl) X(fmaxl) X(fdiml) X(nextafterl)
#define CLASSIFY(X) X(__fpclassifyl) X(__isnanl) X(__isinfl) X(__finitel) X(__signbitl)
#define WHOLE(X) X(lrintl) X(llrintl) X(lroundl) X(llroundl)
#define DECLARE(name) TWIN(name);
UNARY(DECLARE)
BINARY(DECLARE)
CLASSIFY(DECLARE)
WHOLE(DECLARE)
TWIN(ilogbl);
TWIN(frexpl);
TWIN(ldexpl);
TWIN(scalbnl);
TWIN(modfl);

#define COMPLEX(X) \
    X(float, __mulsc3) X(float, __divsc3) X(double, __muldc3) X(double, __divdc3) X(long double, __mulxc3) \
    X(long double, __divxc3)
#define DECLARE_COMPLEX(type, name)                                  \
    extern type _Complex name(type a, type b, type c, type d);       \
    extern type _Complex cov_##name(type a, type b, type c, type d);
COMPLEX(DECLARE_COMPLEX)

static long double some(void) {
    static const long double special[] = {0.0L, 1.0L, 0.5L, 1.5L, 2.5L, 0x1p63L, 0x1p64L, 0x1p-16382L, 0x1p-16445L,
                                          0x1.fffffffffffffffep16383L, INFINITY, NAN, 0.49999999999999999999L, 3.0L};
    unsigned kind = below(8);
    bool negative = below(2);
    if (kind == 0) return special[below(14)] * (negative ? -1 : 1);
    uint64_t mantissa = chance() | 1ULL << 63;
    if (below(3) == 0) mantissa = mantissa >> below(64) << below(64) | 1ULL << 63;
    unsigned exponent = kind < 5 ? 16383 - 40 + below(120) : 1 + below(0x7ffe);
    if (kind == 7) {
        exponent = below(70);
        if (exponent == 0) mantissa &= ~(1ULL << 63);
    }
    uint16_t rest = (uint16_t)(exponent | (unsigned)negative << 15);
    long double value = 0;
    memcpy(&value, &mantissa, 8);
    memcpy((char *)&value + 8, &rest, 2);
    return value;
}

static bool same(long double a, long double b) { return (isnan(a) && isnan(b)) || memcmp(&a, &b, 10) == 0; }

#define COMPARE_UNARY(name) \
    CHECK(same(name(x), cov_##name(x)), #name "(%La): wanted %La, got %La", x, name(x), cov_##name(x));
#define COMPARE_BINARY(name) \
    CHECK(same(name(x, y), cov_##name(x, y)), #name "(%La, %La): wanted %La, got %La", x, y, name(x, y), \
          cov_##name(x, y));
#define COMPARE_CLASS(name) CHECK(!name(x) == !cov_##name(x), #name "(%La)", x);
#define COMPARE_WHOLE(name) \
    CHECK(name(x) == cov_##name(x), #name "(%La): wanted %ld, got %ld", x, (long)name(x), (long)cov_##name(x));

/* Numbers of ordinary size, and those that are not: an infinity, no number, zero. */
static double part(void) {
    static const double special[] = {0.0, -0.0, 1.0, INFINITY, -INFINITY, NAN};
    return below(8) == 0 ? special[below(6)] : ldexp((double)(int64_t)chance(), (int)below(40) - 80);
}

static bool same_part(long double a, long double b) {
    return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b));
}

#define COMPARE_COMPLEX(type, name)                                                                                   \
    {                                                                                                                 \
        type _Complex wanted = name((type)a, (type)b, (type)c, (type)d);                                              \
        type _Complex got = cov_##name((type)a, (type)b, (type)c, (type)d);                                           \
        CHECK(same_part(__real__ wanted, __real__ got) && same_part(__imag__ wanted, __imag__ got),                   \
              #name "(%a, %a, %a, %a): wanted %La %La, got %La %La", a, b, c, d, (long double)__real__ wanted,        \
              (long double)__imag__ wanted, (long double)__real__ got, (long double)__imag__ got);                    \
    }

static void complex_numbers(void) {
    for (int round = 0; round < 40000; round++) {
        double a = part(), b = part(), c = part(), d = part();
        COMPLEX(COMPARE_COMPLEX)
    }
}

void check_math(void) {
    complex_numbers();
    for (int round = 0; round < 60000; round++) {
        long double x = some();
        long double y = below(3) == 0 ? x * (1 + (int)below(5)) : some();
        UNARY(COMPARE_UNARY)
        BINARY(COMPARE_BINARY)
        CLASSIFY(COMPARE_CLASS)
        WHOLE(COMPARE_WHOLE)
        CHECK(__fpclassifyl(x) == cov___fpclassifyl(x), "class of %La", x);
        CHECK(ilogbl(x) == cov_ilogbl(x), "ilogbl %La: %d %d", x, ilogbl(x), cov_ilogbl(x));
        int wanted = 0;
        int got = 0;
        long double first = frexpl(x, &wanted);
        long double second = cov_frexpl(x, &got);
        CHECK(same(first, second) && (wanted == got || !isfinite(x)), "frexpl %La", x);
        int by = (int)below(200) - 100;
        if (below(4) == 0) by = (int)chance() >> below(32);
        errno = cov_errno = 0;
        first = ldexpl(x, by);
        second = cov_ldexpl(x, by);
        CHECK(same(first, second) && errno == cov_errno, "ldexpl(%La, %d): wanted %La, got %La", x, by, first, second);
        CHECK(same(scalbnl(x, by), cov_scalbnl(x, by)), "scalbnl(%La, %d)", x, by);
        long double whole = 0;
        long double cov_whole = 0;
        first = modfl(x, &whole);
        second = cov_modfl(x, &cov_whole);
        CHECK(same(first, second) && same(whole, cov_whole), "modfl %La", x);
    }
}
