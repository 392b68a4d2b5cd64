//! IEEE arithmetic on bit patterns: the hardware's own operations where it has them (rounding to nearest), and
//! `rustc_apfloat` for the x87 format and the other rounding modes.
//!
//! Patterns are those in memory (80 bits for `F80`, with the explicit leading bit). There is one NaN, as in SMT-LIB: every
//! function returns the canonical quiet NaN and takes any.

use std::cmp::Ordering;

use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

use crate::sort::{FloatKind, Rounding, mask, sign_bit};

/// What kind of number a pattern is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Not a number, of any pattern.
    Nan,
    /// Infinity of either sign.
    Infinite,
    /// Zero of either sign.
    Zero,
    /// Nearer to zero than a full significand allows.
    Subnormal,
    /// All other numbers.
    Normal,
}

fn exponent_ones(kind: FloatKind) -> u128 {
    mask(kind.exponent_bits())
}

fn fraction_bits(kind: FloatKind) -> u8 {
    kind.significand_bits() - 1
}

/// SMT-LIB's encoding of a pattern. Non-canonical x87 patterns become what the processor takes them for.
pub fn to_ieee(kind: FloatKind, bits: u128) -> u128 {
    if kind != FloatKind::F80 {
        return bits & mask(kind.bits());
    }
    let (sign, exponent) = (bits >> 79 & 1, bits >> 64 & 0x7fff);
    let (leading, fraction) = (bits >> 63 & 1, bits & mask(63));
    let encode = |exponent: u128, fraction: u128| sign << 78 | exponent << 63 | fraction;
    match (exponent, leading) {
        (0, 1) => encode(1, fraction),
        (0, 0) | (_, 1) => encode(exponent, fraction),
        // An "unnormal", or an infinity or NaN without its leading bit: an invalid operand.
        _ => to_ieee(kind, nan(kind)),
    }
}

/// The pattern in memory for SMT-LIB's encoding.
pub fn from_ieee(kind: FloatKind, bits: u128) -> u128 {
    if kind != FloatKind::F80 {
        return bits & mask(kind.bits());
    }
    let (sign, exponent, fraction) = (bits >> 78 & 1, bits >> 63 & 0x7fff, bits & mask(63));
    sign << 79 | exponent << 64 | u128::from(exponent != 0) << 63 | fraction
}

/// The canonical quiet NaN: positive, only the top bit of the fraction set.
pub fn nan(kind: FloatKind) -> u128 {
    let f = fraction_bits(kind);
    from_ieee(kind, exponent_ones(kind) << f | 1 << (f - 1))
}

/// The bits of infinity.
pub fn infinity(kind: FloatKind, negative: bool) -> u128 {
    let f = fraction_bits(kind);
    from_ieee(kind, u128::from(negative) << (kind.ieee_bits() - 1) | exponent_ones(kind) << f)
}

/// The bits of a zero.
pub fn zero(kind: FloatKind, negative: bool) -> u128 {
    if negative { sign_bit(kind.bits()) } else { 0 }
}

/// ±2^`exponent`, or infinity above the range. Below the normal range is never asked for.
pub fn power_of_two(kind: FloatKind, exponent: u8, negative: bool) -> u128 {
    let bias = exponent_ones(kind) >> 1;
    let biased = bias + u128::from(exponent);
    if biased >= exponent_ones(kind) {
        return infinity(kind, negative);
    }
    from_ieee(kind, u128::from(negative) << (kind.ieee_bits() - 1) | biased << fraction_bits(kind))
}

/// What kind of number the bits are.
pub fn class(kind: FloatKind, bits: u128) -> Class {
    let ieee = to_ieee(kind, bits);
    let f = fraction_bits(kind);
    let (exponent, fraction) = (ieee >> f & exponent_ones(kind), ieee & mask(f));
    match (exponent, fraction) {
        (0, 0) => Class::Zero,
        (0, _) => Class::Subnormal,
        (e, 0) if e == exponent_ones(kind) => Class::Infinite,
        (e, _) if e == exponent_ones(kind) => Class::Nan,
        _ => Class::Normal,
    }
}

/// The one pattern of each number.
pub fn canonical(kind: FloatKind, bits: u128) -> u128 {
    match class(kind, bits) {
        Class::Nan => nan(kind),
        _ => from_ieee(kind, to_ieee(kind, bits)),
    }
}

/// The sign bit of a number; NaN has none.
pub fn is_negative(kind: FloatKind, bits: u128) -> bool {
    class(kind, bits) != Class::Nan && bits >> (kind.bits() - 1) & 1 == 1
}

fn round(mode: Rounding) -> Round {
    match mode {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::NearestAway => Round::NearestTiesToAway,
        Rounding::Up => Round::TowardPositive,
        Rounding::Down => Round::TowardNegative,
        Rounding::Zero => Round::TowardZero,
    }
}

fn f32_of(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

fn from_f32(value: f32) -> u128 {
    canonical(FloatKind::F32, u128::from(value.to_bits()))
}

fn from_f64(value: f64) -> u128 {
    canonical(FloatKind::F64, u128::from(value.to_bits()))
}

fn x87(bits: u128) -> X87DoubleExtended {
    X87DoubleExtended::from_bits(canonical(FloatKind::F80, bits))
}

fn from_x87(value: X87DoubleExtended) -> u128 {
    canonical(FloatKind::F80, value.to_bits())
}

/// Runs the expression with the argument(s) as `rustc_apfloat` values of the format.
macro_rules! with_float {
    ($kind:expr, |$($name:ident),+| $body:expr) => {
        match $kind {
            FloatKind::F32 => {
                $(let $name = Single::from_bits($name);)+
                $body
            }
            FloatKind::F64 => {
                $(let $name = Double::from_bits($name);)+
                $body
            }
            FloatKind::F80 => {
                $(let $name = x87($name);)+
                $body
            }
        }
    };
}

/// `a + b`
pub fn add(kind: FloatKind, a: u128, b: u128) -> u128 {
    match kind {
        FloatKind::F32 => from_f32(f32_of(a) + f32_of(b)),
        FloatKind::F64 => from_f64(f64_of(a) + f64_of(b)),
        FloatKind::F80 => from_x87((x87(a) + x87(b)).value),
    }
}

/// `a - b`
pub fn sub(kind: FloatKind, a: u128, b: u128) -> u128 {
    match kind {
        FloatKind::F32 => from_f32(f32_of(a) - f32_of(b)),
        FloatKind::F64 => from_f64(f64_of(a) - f64_of(b)),
        FloatKind::F80 => from_x87((x87(a) - x87(b)).value),
    }
}

/// `a * b`
pub fn mul(kind: FloatKind, a: u128, b: u128) -> u128 {
    match kind {
        FloatKind::F32 => from_f32(f32_of(a) * f32_of(b)),
        FloatKind::F64 => from_f64(f64_of(a) * f64_of(b)),
        FloatKind::F80 => from_x87((x87(a) * x87(b)).value),
    }
}

/// `a / b`
pub fn div(kind: FloatKind, a: u128, b: u128) -> u128 {
    match kind {
        FloatKind::F32 => from_f32(f32_of(a) / f32_of(b)),
        FloatKind::F64 => from_f64(f64_of(a) / f64_of(b)),
        FloatKind::F80 => from_x87((x87(a) / x87(b)).value),
    }
}

/// `a · b + c`, rounded once.
pub fn fma(kind: FloatKind, a: u128, b: u128, c: u128) -> u128 {
    match kind {
        FloatKind::F32 => from_f32(f32_of(a).mul_add(f32_of(b), f32_of(c))),
        FloatKind::F64 => from_f64(f64_of(a).mul_add(f64_of(b), f64_of(c))),
        FloatKind::F80 => from_x87(x87(a).mul_add(x87(b), x87(c)).value),
    }
}

/// IEEE remainder: `a − n·b` with `n` the integer nearest to `a / b`, even on ties.
pub fn rem(kind: FloatKind, a: u128, b: u128) -> u128 {
    let result = with_float!(kind, |a, b| a.ieee_rem(b).value.to_bits());
    canonical(kind, result)
}

/// The root, rounded to nearest.
pub fn sqrt(kind: FloatKind, a: u128) -> u128 {
    match kind {
        FloatKind::F32 => from_f32(f32_of(a).sqrt()),
        FloatKind::F64 => from_f64(f64_of(a).sqrt()),
        FloatKind::F80 => sqrt_x87(a),
    }
}

/// The square root of an x87 number, which `rustc_apfloat` lacks: digit by digit, one bit more than the precision, then
/// rounded to nearest. A square root is never half-way between two numbers, so that the remainder decides no tie.
fn sqrt_x87(a: u128) -> u128 {
    let kind = FloatKind::F80;
    match (class(kind, a), is_negative(kind, a)) {
        (Class::Zero, _) => return canonical(kind, a),
        (Class::Nan, _) | (_, true) => return nan(kind),
        (Class::Infinite, false) => return infinity(kind, false),
        _ => {}
    }
    let a = canonical(kind, a);
    let (mut significand, biased) = (a & mask(64), (a >> 64 & 0x7fff) as i32);
    // a = significand · 2^exponent with the leading bit of the significand at position 63.
    let mut exponent = biased.max(1) - 16383 - 63;
    let shift = significand.leading_zeros() as i32 - 64;
    significand <<= shift;
    exponent -= shift;
    // The root of the 128-bit radicand significand · 2^64 (or · 2^63) has 64 bits; the exponent must come out even.
    let radicand = if exponent % 2 == 0 { significand << 64 } else { significand << 63 };
    let exponent = if exponent % 2 == 0 { exponent - 64 } else { exponent - 63 };
    let mut root: u128 = 0;
    let mut rest: u128 = 0;
    // 64 digits from the radicand and one more from its zero continuation, for rounding.
    for i in 0..65 {
        let pair = if i < 64 { radicand >> (126 - 2 * i) & 3 } else { 0 };
        rest = rest << 2 | pair;
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    // Round to nearest: the last digit is the half; the square root of a number is never exactly on it.
    let rounded = (root >> 1) + (root & 1);
    let (rounded, carry) = if rounded >> 64 != 0 { (rounded >> 1, 1) } else { (rounded, 0) };
    let biased = exponent / 2 + 63 + carry + 16383;
    (biased as u128) << 64 | rounded
}

/// The integer that the rounding mode gives, as a float.
pub fn round_to_integral(kind: FloatKind, a: u128, mode: Rounding) -> u128 {
    let mode = round(mode);
    let result = with_float!(kind, |a| a.round_to_integral(mode).value.to_bits());
    canonical(kind, result)
}

/// The other sign; NaN stays as it is.
pub fn neg(kind: FloatKind, a: u128) -> u128 {
    canonical(kind, canonical(kind, a) ^ sign_bit(kind.bits()))
}

/// Without its sign.
pub fn abs(kind: FloatKind, a: u128) -> u128 {
    canonical(kind, canonical(kind, a) & !sign_bit(kind.bits()))
}

/// `None` where an operand is NaN. The zeros are equal.
pub fn compare(kind: FloatKind, a: u128, b: u128) -> Option<Ordering> {
    match kind {
        FloatKind::F32 => f32_of(a).partial_cmp(&f32_of(b)),
        FloatKind::F64 => f64_of(a).partial_cmp(&f64_of(b)),
        FloatKind::F80 => x87(a).partial_cmp(&x87(b)),
    }
}

/// The number in another format.
pub fn convert(from: FloatKind, to: FloatKind, a: u128, mode: Rounding) -> u128 {
    let mode = round(mode);
    let mut lossy = false;
    let result = match to {
        FloatKind::F32 => with_float!(from, |a| convert_to::<_, Single>(a, mode, &mut lossy)),
        FloatKind::F64 => with_float!(from, |a| convert_to::<_, Double>(a, mode, &mut lossy)),
        FloatKind::F80 => with_float!(from, |a| convert_to::<_, X87DoubleExtended>(a, mode, &mut lossy)),
    };
    canonical(to, result)
}

fn convert_to<F: FloatConvert<T>, T: Float>(a: F, mode: Round, lossy: &mut bool) -> u128 {
    let converted: T = a.convert_r(mode, lossy).value;
    converted.to_bits()
}

/// The number nearest to a signed integer by the rounding mode.
pub fn from_signed(to: FloatKind, value: i128, mode: Rounding) -> u128 {
    let mode = round(mode);
    let bits = match to {
        FloatKind::F32 => Single::from_i128_r(value, mode).value.to_bits(),
        FloatKind::F64 => Double::from_i128_r(value, mode).value.to_bits(),
        FloatKind::F80 => X87DoubleExtended::from_i128_r(value, mode).value.to_bits(),
    };
    canonical(to, bits)
}

/// The number nearest to an unsigned integer by the rounding mode.
pub fn from_unsigned(to: FloatKind, value: u128, mode: Rounding) -> u128 {
    let mode = round(mode);
    let bits = match to {
        FloatKind::F32 => Single::from_u128_r(value, mode).value.to_bits(),
        FloatKind::F64 => Double::from_u128_r(value, mode).value.to_bits(),
        FloatKind::F80 => X87DoubleExtended::from_u128_r(value, mode).value.to_bits(),
    };
    canonical(to, bits)
}

/// The integer of the given width, as its bits; `None` for NaN and what is out of range.
pub fn to_integer(kind: FloatKind, a: u128, width: u8, signed: bool, mode: Rounding) -> Option<u128> {
    let rounded = round_to_integral(kind, a, mode);
    let magnitude = integral_magnitude(kind, rounded)?;
    let negative = is_negative(kind, rounded) && magnitude != 0;
    let limit = match (signed, negative) {
        (true, true) => sign_bit(width),
        (true, false) => sign_bit(width) - 1,
        (false, true) => 0,
        (false, false) => mask(width),
    };
    let value = if negative { magnitude.wrapping_neg() } else { magnitude };
    (magnitude <= limit).then_some(value & mask(width))
}

/// |a| of an integral number, if it is below 2^128.
fn integral_magnitude(kind: FloatKind, a: u128) -> Option<u128> {
    match class(kind, a) {
        Class::Zero => Some(0),
        Class::Normal => {
            let ieee = to_ieee(kind, a);
            let f = fraction_bits(kind);
            let bias = (exponent_ones(kind) >> 1) as i32;
            let exponent = (ieee >> f & exponent_ones(kind)) as i32 - bias;
            let significand = ieee & mask(f) | 1 << f;
            match exponent - i32::from(f) {
                _ if exponent > 127 => None,
                up @ 0.. => Some(significand << up),
                // Integral: the bits shifted out are zero.
                down => Some(significand >> -down),
            }
        }
        Class::Nan | Class::Infinite | Class::Subnormal => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_patterns() {
        assert_eq!(nan(FloatKind::F32), 0x7fc0_0000);
        assert_eq!(nan(FloatKind::F64), 0x7ff8_0000_0000_0000);
        assert_eq!(nan(FloatKind::F80), 0x7fff_c000_0000_0000_0000);
        assert_eq!(infinity(FloatKind::F80, true), 0xffff_8000_0000_0000_0000);
        assert_eq!(canonical(FloatKind::F32, 0xffff_ffff), nan(FloatKind::F32));
        // An unnormal is an invalid operand; a pseudo-denormal is the smallest normal number.
        assert_eq!(canonical(FloatKind::F80, 0x3fff_0000_0000_0000_0001), nan(FloatKind::F80));
        assert_eq!(canonical(FloatKind::F80, 0x8000_0000_0000_0000), 0x1_8000_0000_0000_0000);
        assert_eq!(power_of_two(FloatKind::F32, 31, true), u128::from((-2147483648f32).to_bits()));
        assert_eq!(power_of_two(FloatKind::F32, 128, false), infinity(FloatKind::F32, false));
    }

    #[test]
    fn x87_square_roots_agree_with_doubles() {
        let mut seed = 0x1234_5678_9abc_def0u64;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let x = f64::from_bits(seed & !(1 << 63));
            if !x.is_finite() {
                continue;
            }
            let wide = convert(FloatKind::F64, FloatKind::F80, u128::from(x.to_bits()), Rounding::NearestEven);
            let root = sqrt(FloatKind::F80, wide);
            // The 64-bit root rounds to the 53-bit one, save for rare double rounding; check it by squaring instead.
            let below = root - 1;
            let square = |r: u128| (x87(r) * x87(r)).value;
            let target = x87(wide);
            assert!(square(below) <= target, "{x:e}");
            assert!(square(root + 1) >= target, "{x:e}");
            let back = convert(FloatKind::F80, FloatKind::F64, root, Rounding::NearestEven);
            let expected = u128::from(x.sqrt().to_bits());
            assert!(back.abs_diff(expected) <= 1, "{x:e}");
        }
        let four = from_signed(FloatKind::F80, 4, Rounding::NearestEven);
        let two = from_signed(FloatKind::F80, 2, Rounding::NearestEven);
        assert_eq!(sqrt(FloatKind::F80, four), two);
        assert_eq!(sqrt(FloatKind::F80, zero(FloatKind::F80, true)), zero(FloatKind::F80, true));
        assert_eq!(sqrt(FloatKind::F80, neg(FloatKind::F80, four)), nan(FloatKind::F80));
    }

    #[test]
    fn integers_and_back() {
        let k = FloatKind::F64;
        let bits = |x: f64| u128::from(x.to_bits());
        assert_eq!(to_integer(k, bits(-2.5), 32, true, Rounding::Zero), Some(mask(32) - 1));
        assert_eq!(to_integer(k, bits(2147483648.0), 32, true, Rounding::Zero), None);
        assert_eq!(to_integer(k, bits(-2147483648.9), 32, true, Rounding::Zero), Some(1 << 31));
        assert_eq!(to_integer(k, bits(-0.9), 32, false, Rounding::Zero), Some(0));
        assert_eq!(to_integer(k, bits(-1.0), 32, false, Rounding::Zero), None);
        assert_eq!(to_integer(k, bits(f64::NAN), 8, true, Rounding::Zero), None);
        assert_eq!(from_signed(k, -3, Rounding::NearestEven), bits(-3.0));
        assert_eq!(from_unsigned(k, u128::from(u64::MAX), Rounding::Zero), bits(18446744073709549568.0));
    }

    #[test]
    fn rounding_modes() {
        let k = FloatKind::F32;
        let bits = |x: f32| u128::from(x.to_bits());
        assert_eq!(round_to_integral(k, bits(2.5), Rounding::NearestEven), bits(2.0));
        assert_eq!(round_to_integral(k, bits(2.5), Rounding::NearestAway), bits(3.0));
        assert_eq!(round_to_integral(k, bits(-0.5), Rounding::Up), bits(-0.0));
        assert_eq!(round_to_integral(k, bits(-0.5), Rounding::Down), bits(-1.0));
        assert_eq!(rem(k, bits(5.0), bits(3.0)), bits(-1.0));
    }
}
