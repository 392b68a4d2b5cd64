/* Complex numbers: the products and quotients that a compiler leaves to its run-time library, and the functions of
 * complex.h that need no transcendental part of their own. */
#include <complex.h>
#include <math.h>

#include "internal.h"

/* The rules of C's Annex G: a result that is not a number on both sides is put right when an operand was infinite, or
 * when a product of finite numbers overflowed. `box` makes an infinity one and anything else zero, signs kept. */
#define COMPLEX_MULTIPLY(type, multiply, copysign, infinity)                                                 \
    static type box_##multiply(type value) { return copysign(isinf(value) ? 1 : 0, value); }                 \
    static type zero_nan_##multiply(type value) { return isnan(value) ? copysign(0, value) : value; }        \
                                                                                                             \
    type _Complex multiply(type a, type b, type c, type d) {                                                 \
        type ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                                 \
        type real = ac - bd;                                                                                 \
        type imaginary = ad + bc;                                                                            \
        if (!isnan(real) || !isnan(imaginary)) return CMPLX_OF(type, real, imaginary);                       \
        bool again = false;                                                                                  \
        if (isinf(a) || isinf(b)) {                                                                          \
            a = box_##multiply(a);                                                                           \
            b = box_##multiply(b);                                                                           \
            c = zero_nan_##multiply(c);                                                                      \
            d = zero_nan_##multiply(d);                                                                      \
            again = true;                                                                                    \
        }                                                                                                    \
        if (isinf(c) || isinf(d)) {                                                                          \
            c = box_##multiply(c);                                                                           \
            d = box_##multiply(d);                                                                           \
            a = zero_nan_##multiply(a);                                                                      \
            b = zero_nan_##multiply(b);                                                                      \
            again = true;                                                                                    \
        }                                                                                                    \
        if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {                                  \
            a = zero_nan_##multiply(a);                                                                      \
            b = zero_nan_##multiply(b);                                                                      \
            c = zero_nan_##multiply(c);                                                                      \
            d = zero_nan_##multiply(d);                                                                      \
            again = true;                                                                                    \
        }                                                                                                    \
        if (again) {                                                                                         \
            real = infinity * (a * c - b * d);                                                               \
            imaginary = infinity * (a * d + b * c);                                                          \
        }                                                                                                    \
        return CMPLX_OF(type, real, imaginary);                                                              \
    }

#define COMPLEX_DIVIDE(type, multiply, divide, copysign, fabs, infinity)                                     \
    static type _Complex recover_##divide(type a, type b, type c, type d, type real, type imaginary) {       \
        if (!isnan(real) || !isnan(imaginary)) return CMPLX_OF(type, real, imaginary);                       \
        if (c == 0 && d == 0 && (!isnan(a) || !isnan(b))) {                                                  \
            real = copysign(infinity, c) * a;                                                                \
            imaginary = copysign(infinity, c) * b;                                                           \
        } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {                                   \
            a = box_##multiply(a);                                                                           \
            b = box_##multiply(b);                                                                           \
            real = infinity * (a * c + b * d);                                                               \
            imaginary = infinity * (b * c - a * d);                                                          \
        } else if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) {                                   \
            c = box_##multiply(c);                                                                           \
            d = box_##multiply(d);                                                                           \
            real = 0 * (a * c + b * d);                                                                      \
            imaginary = 0 * (b * c - a * d);                                                                 \
        }                                                                                                    \
        return CMPLX_OF(type, real, imaginary);                                                              \
    }                                                                                                        \
                                                                                                             \
    /* Smith's way: divide by the larger part first, so that no square overflows. */                         \
    type _Complex divide(type a, type b, type c, type d) {                                                   \
        type real, imaginary;                                                                                \
        if (fabs(c) < fabs(d)) {                                                                             \
            type ratio = c / d;                                                                              \
            type denominator = c * ratio + d;                                                                \
            real = (a * ratio + b) / denominator;                                                            \
            imaginary = (b * ratio - a) / denominator;                                                       \
        } else {                                                                                             \
            type ratio = d / c;                                                                              \
            type denominator = d * ratio + c;                                                                \
            real = (b * ratio + a) / denominator;                                                            \
            imaginary = (b - a * ratio) / denominator;                                                       \
        }                                                                                                    \
        return recover_##divide(a, b, c, d, real, imaginary);                                                \
    }

/* Written by parts: an expression with I would multiply. */
#define CMPLX_OF(type, real, imaginary) __builtin_complex((type)(real), (type)(imaginary))

COMPLEX_MULTIPLY(float, __mulsc3, copysignf, HUGE_VALF)
COMPLEX_MULTIPLY(double, __muldc3, copysign, HUGE_VAL)
#if __LDBL_MANT_DIG__ == 64
COMPLEX_MULTIPLY(long double, __mulxc3, copysignl, HUGE_VALL)
#endif
COMPLEX_DIVIDE(double, __muldc3, __divdc3, copysign, fabs, HUGE_VAL)
#if __LDBL_MANT_DIG__ == 64
COMPLEX_DIVIDE(long double, __mulxc3, __divxc3, copysignl, fabsl, HUGE_VALL)
#endif

/* float has double to divide in. */
float _Complex __divsc3(float a, float b, float c, float d) {
    double denominator = (double)c * c + (double)d * d;
    float real = (float)(((double)a * c + (double)b * d) / denominator);
    float imaginary = (float)(((double)b * c - (double)a * d) / denominator);
    double _Complex quotient = recover___divdc3(a, b, c, d, real, imaginary);
    return CMPLX_OF(float, __real__ quotient, __imag__ quotient);
}

#define COMPLEX_PARTS(type, suffix, copysign, infinity)                                                   \
    type creal##suffix(type _Complex z) { return __real__ z; }                                            \
    type cimag##suffix(type _Complex z) { return __imag__ z; }                                            \
    type _Complex conj##suffix(type _Complex z) { return CMPLX_OF(type, __real__ z, -__imag__ z); }       \
    type _Complex cproj##suffix(type _Complex z) {                                                        \
        if (!isinf(__real__ z) && !isinf(__imag__ z)) return z;                                           \
        return CMPLX_OF(type, infinity, copysign(0, __imag__ z));                                         \
    }
COMPLEX_PARTS(float, f, copysignf, HUGE_VALF)
COMPLEX_PARTS(double, , copysign, HUGE_VAL)
COMPLEX_PARTS(long double, l, copysignl, HUGE_VALL)

float cabsf(float _Complex z) { return hypotf(__real__ z, __imag__ z); }
double cabs(double _Complex z) { return hypot(__real__ z, __imag__ z); }
float cargf(float _Complex z) { return atan2f(__imag__ z, __real__ z); }
double carg(double _Complex z) { return atan2(__imag__ z, __real__ z); }
