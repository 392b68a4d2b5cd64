//! The host's mathematical library.
//!
//! Foreign functions, because a program run here must print the very digits that it prints natively: the functions are
//! those of the C library that the native program would call. They take and return numbers only, so calling them is
//! safe; `errno` is kept and put back by [`with_errno`].
#![allow(unsafe_code)]

macro_rules! functions {
    ($($one:ident $onef:ident),*; $($two:ident $twof:ident),*) => {
        unsafe extern "C" {
            $(safe fn $one(x: f64) -> f64; safe fn $onef(x: f32) -> f32;)*
            $(safe fn $two(x: f64, y: f64) -> f64; safe fn $twof(x: f32, y: f32) -> f32;)*
        }
        /// Functions of one number, for `double`.
        pub(super) const ONE: &[(&str, fn(f64) -> f64)] = &[$((stringify!($one), |x| $one(x))),*];
        pub(super) const ONEF: &[(&str, fn(f32) -> f32)] = &[$((stringify!($onef), |x| $onef(x))),*];
        pub(super) const TWO: &[(&str, fn(f64, f64) -> f64)] = &[$((stringify!($two), |x, y| $two(x, y))),*];
        pub(super) const TWOF: &[(&str, fn(f32, f32) -> f32)] = &[$((stringify!($twof), |x, y| $twof(x, y))),*];
    };
}

functions! {
    sin sinf, cos cosf, tan tanf, asin asinf, acos acosf, atan atanf, sinh sinhf, cosh coshf, tanh tanhf,
    asinh asinhf, acosh acoshf, atanh atanhf, exp expf, exp2 exp2f, expm1 expm1f, log logf, log2 log2f,
    log10 log10f, log1p log1pf, sqrt sqrtf, cbrt cbrtf, erf erff, erfc erfcf, tgamma tgammaf, lgamma lgammaf,
    floor floorf, ceil ceilf, trunc truncf, round roundf, rint rintf, nearbyint nearbyintf, fabs fabsf, logb logbf,
    roundeven roundevenf, exp10 exp10f, j0 j0f, j1 j1f, y0 y0f, y1 y1f;
    pow powf, atan2 atan2f, fmod fmodf, remainder remainderf, drem dremf, hypot hypotf, fmin fminf, fmax fmaxf,
    fdim fdimf, copysign copysignf, nextafter nextafterf, scalb scalbf
}

unsafe extern "C" {
    safe fn fma(x: f64, y: f64, z: f64) -> f64;
    safe fn fmaf(x: f32, y: f32, z: f32) -> f32;
    safe fn ldexp(x: f64, n: i32) -> f64;
    safe fn ldexpf(x: f32, n: i32) -> f32;
    safe fn ilogb(x: f64) -> i32;
    safe fn ilogbf(x: f32) -> i32;
    fn frexp(x: f64, exponent: *mut i32) -> f64;
    fn remquo(x: f64, y: f64, quotient: *mut i32) -> f64;
    fn remquof(x: f32, y: f32, quotient: *mut i32) -> f32;
    fn __errno_location() -> *mut i32;
}

pub(super) fn fused(x: f64, y: f64, z: f64) -> f64 {
    fma(x, y, z)
}

pub(super) fn fusedf(x: f32, y: f32, z: f32) -> f32 {
    fmaf(x, y, z)
}

pub(super) fn scale(x: f64, n: i32) -> f64 {
    ldexp(x, n)
}

pub(super) fn scalef(x: f32, n: i32) -> f32 {
    ldexpf(x, n)
}

pub(super) fn exponent(x: f64) -> i32 {
    ilogb(x)
}

pub(super) fn exponentf(x: f32) -> i32 {
    ilogbf(x)
}

/// Mantissa and exponent.
pub(super) fn split(x: f64) -> (f64, i32) {
    let mut n = 0;
    // The pointer is to a local.
    let mantissa = unsafe { frexp(x, &mut n) };
    (mantissa, n)
}

/// IEEE remainder and the low bits of the quotient.
pub(super) fn remainder_quotient(x: f64, y: f64) -> (f64, i32) {
    let mut n = 0;
    // The pointer is to a local.
    let rest = unsafe { remquo(x, y, &mut n) };
    (rest, n)
}

pub(super) fn remainder_quotientf(x: f32, y: f32) -> (f32, i32) {
    let mut n = 0;
    // The pointer is to a local.
    let rest = unsafe { remquof(x, y, &mut n) };
    (rest, n)
}

/// Runs `f` and says what it left in `errno` (0: nothing).
pub(super) fn with_errno<T>(f: impl FnOnce() -> T) -> (T, i32) {
    // The C library promises that the location is valid for this thread.
    unsafe {
        let errno = __errno_location();
        let before = *errno;
        *errno = 0;
        let result = f();
        let after = *errno;
        *errno = before;
        (result, after)
    }
}
