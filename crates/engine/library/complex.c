/* Multiplication and division of complex numbers: the compiler calls these for the operators.
 *
 * Multiplication recovers infinities as Annex G of the C standard asks. Division follows Baudin and Smith, "A robust
 * complex division in Scilab": operands are scaled away from the ends of the range, then Smith's formula is used with
 * care for a ratio that underflows. float is computed in double, which has room enough. */
#include <complex.h>
#include <float.h>
#include <math.h>

#define NAN_TYPE(x) ((x) != (x))
#define IS_INF(x) ((x) == INFINITY || (x) == -INFINITY)
#define SIGN_OF(type, x) (__builtin_signbit(x) ? (type)-1 : (type)1)

#define DEFINE_MULTIPLY(name, type)                                                                                \
    static type name##_sign(type of, type like) {                                                                  \
        type magnitude = of < 0 ? -of : of;                                                                        \
        return SIGN_OF(type, like) < 0 ? -magnitude : magnitude;                                                   \
    }                                                                                                              \
    /* Infinite parts become 1, finite ones 0, NaN in a partner 0, all with their signs. */                        \
    static type name##_box(type x) { return name##_sign(IS_INF(x) ? 1 : 0, x); }                                   \
    static type name##_calm(type x) { return NAN_TYPE(x) ? name##_sign(0, x) : x; }                                \
    type _Complex name(type a, type b, type c, type d) {                                                           \
        type ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                                       \
        type x = ac - bd, y = ad + bc;                                                                             \
        if (NAN_TYPE(x) && NAN_TYPE(y)) {                                                                          \
            int recalculate = 0;                                                                                   \
            if (IS_INF(a) || IS_INF(b)) {                                                                          \
                a = name##_box(a), b = name##_box(b);                                                              \
                c = name##_calm(c), d = name##_calm(d);                                                            \
                recalculate = 1;                                                                                   \
            }                                                                                                      \
            if (IS_INF(c) || IS_INF(d)) {                                                                          \
                c = name##_box(c), d = name##_box(d);                                                              \
                a = name##_calm(a), b = name##_calm(b);                                                            \
                recalculate = 1;                                                                                   \
            }                                                                                                      \
            if (!recalculate && (IS_INF(ac) || IS_INF(bd) || IS_INF(ad) || IS_INF(bc))) {                          \
                a = name##_calm(a), b = name##_calm(b);                                                            \
                c = name##_calm(c), d = name##_calm(d);                                                            \
                recalculate = 1;                                                                                   \
            }                                                                                                      \
            if (recalculate) {                                                                                     \
                x = (type)INFINITY * (a * c - b * d);                                                              \
                y = (type)INFINITY * (a * d + b * c);                                                              \
            }                                                                                                      \
        }                                                                                                          \
        return __builtin_complex(x, y);                                                                            \
    }                                                                                                              \
    /* What is left of a division when both parts came out as NaN. */                                              \
    static type _Complex name##_divide_special(type a, type b, type c, type d, type x, type y) {                   \
        if (NAN_TYPE(x) && NAN_TYPE(y)) {                                                                          \
            if (c == 0 && d == 0 && (!NAN_TYPE(a) || !NAN_TYPE(b))) {                                              \
                x = name##_sign((type)INFINITY, c) * a;                                                            \
                y = name##_sign((type)INFINITY, c) * b;                                                            \
            } else if ((IS_INF(a) || IS_INF(b)) && !IS_INF(c) && !IS_INF(d) && !NAN_TYPE(c) && !NAN_TYPE(d)) {     \
                a = name##_box(a), b = name##_box(b);                                                              \
                x = (type)INFINITY * (a * c + b * d);                                                              \
                y = (type)INFINITY * (b * c - a * d);                                                              \
            } else if ((IS_INF(c) || IS_INF(d)) && !IS_INF(a) && !IS_INF(b) && !NAN_TYPE(a) && !NAN_TYPE(b)) {     \
                c = name##_box(c), d = name##_box(d);                                                              \
                x = (type)0 * (a * c + b * d);                                                                     \
                y = (type)0 * (b * c - a * d);                                                                     \
            }                                                                                                      \
        }                                                                                                          \
        return __builtin_complex(x, y);                                                                            \
    }

#define ABS(x) ((x) < 0 ? -(x) : (x))

#define DEFINE_DIVIDE(name, multiply, type, LARGEST, SMALLEST, EPSILON)                                            \
    type _Complex name(type a, type b, type c, type d) {                                                           \
        const type big = LARGEST / 2, small = SMALLEST, scale = 1 / EPSILON, big2 = LARGEST / 2 * EPSILON;         \
        const type a0 = a, b0 = b, c0 = c, d0 = d;                                                                 \
        const int flip = ABS(c) < ABS(d);                                                                          \
        const type large = flip ? d : c;                                                                           \
        type factor = 1, x, y;                                                                                     \
        if (ABS(large) >= big) {                                                                                   \
            a = a / 2, b = b / 2, c = c / 2, d = d / 2;                                                            \
        }                                                                                                          \
        if (ABS(flip ? d : c) < small) {                                                                           \
            factor = scale;                                                                                        \
        } else if ((ABS(a) < small && ABS(b) < big2 && ABS(flip ? d : c) < big2) ||                                \
                   (ABS(b) < small && ABS(a) < big2 && ABS(flip ? d : c) < big2)) {                                \
            factor = scale;                                                                                        \
        }                                                                                                          \
        if (factor != 1) {                                                                                         \
            a = a * factor, b = b * factor, c = c * factor, d = d * factor;                                        \
        }                                                                                                          \
        if (flip) {                                                                                                \
            const type ratio = c / d, denominator = c * ratio + d;                                                 \
            if (ABS(ratio) > small) {                                                                              \
                x = (a * ratio + b) / denominator;                                                                 \
                y = (b * ratio - a) / denominator;                                                                 \
            } else {                                                                                               \
                x = (c * (a / d) + b) / denominator;                                                               \
                y = (c * (b / d) - a) / denominator;                                                               \
            }                                                                                                      \
        } else {                                                                                                   \
            const type ratio = d / c, denominator = d * ratio + c;                                                 \
            if (ABS(ratio) > small) {                                                                              \
                x = (b * ratio + a) / denominator;                                                                 \
                y = (b - a * ratio) / denominator;                                                                 \
            } else {                                                                                               \
                x = (a + d * (b / c)) / denominator;                                                               \
                y = (b - d * (a / c)) / denominator;                                                               \
            }                                                                                                      \
        }                                                                                                          \
        return multiply##_divide_special(a0, b0, c0, d0, x, y);                                                    \
    }

DEFINE_MULTIPLY(__mulsc3, float)
DEFINE_MULTIPLY(__muldc3, double)
DEFINE_MULTIPLY(__mulxc3, long double)
DEFINE_DIVIDE(__divdc3, __muldc3, double, DBL_MAX, DBL_MIN, DBL_EPSILON)
DEFINE_DIVIDE(__divxc3, __mulxc3, long double, LDBL_MAX, LDBL_MIN, LDBL_EPSILON)

float _Complex __divsc3(float a, float b, float c, float d) {
    const double aa = a, bb = b, cc = c, dd = d, denominator = cc * cc + dd * dd;
    const float x = (float)((aa * cc + bb * dd) / denominator), y = (float)((bb * cc - aa * dd) / denominator);
    return __mulsc3_divide_special(a, b, c, d, x, y);
}

#define DEFINE_PARTS(suffix, type)                                                                                 \
    type creal##suffix(type _Complex z) { return __real__ z; }                                                     \
    type cimag##suffix(type _Complex z) { return __imag__ z; }                                                     \
    type _Complex conj##suffix(type _Complex z) { return __builtin_complex(__real__ z, -__imag__ z); }

DEFINE_PARTS(f, float)
DEFINE_PARTS(, double)
DEFINE_PARTS(l, long double)

float cabsf(float _Complex z) { return hypotf(__real__ z, __imag__ z); }
double cabs(double _Complex z) { return hypot(__real__ z, __imag__ z); }
float cargf(float _Complex z) { return atan2f(__imag__ z, __real__ z); }
double carg(double _Complex z) { return atan2(__imag__ z, __real__ z); }
