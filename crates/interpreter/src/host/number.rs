//! Numbers to characters and back, exactly rounded.

use num_bigint::BigUint;
use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended as F80};
use rustc_apfloat::{Float, Round};

/// A finite number that is not negative: `mantissa * 2^exponent`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    mantissa: u64,
    exponent: i32,
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Double,
    Extended,
}

impl Parts {
    pub(crate) fn double(bits: u64) -> Parts {
        let (fraction, biased) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7FF) as i32);
        let mantissa = if biased == 0 { fraction } else { fraction | 1 << 52 };
        Parts { mantissa, exponent: biased.max(1) - 1075, format: Format::Double }
    }

    pub(crate) fn extended(bits: u128) -> Parts {
        let biased = (bits >> 64 & 0x7FFF) as i32;
        Parts { mantissa: bits as u64, exponent: biased.max(1) - 16446, format: Format::Extended }
    }
}

/// The characters of printf's `e`, `f`, `g` or `a` conversion.
pub(crate) fn format(value: Parts, conversion: u8, precision: Option<usize>, alternate: bool) -> Vec<u8> {
    let text = match conversion {
        b'e' => scientific(value, precision.unwrap_or(6), alternate),
        b'f' => fixed(value, precision.unwrap_or(6), alternate),
        b'a' => hexadecimal(value, precision, alternate),
        _ => general(value, precision.unwrap_or(6).max(1), alternate),
    };
    text.into_bytes()
}

/// `value * 10^power`, rounded to the nearest integer, ties to even.
fn scaled(value: Parts, power: i64) -> BigUint {
    let mut numerator = BigUint::from(value.mantissa);
    let mut denominator = BigUint::from(1u8);
    let ten = |n: u64| BigUint::from(10u8).pow(n as u32);
    if power >= 0 {
        numerator *= ten(power.unsigned_abs());
    } else {
        denominator *= ten(power.unsigned_abs());
    }
    if value.exponent >= 0 {
        numerator <<= value.exponent;
    } else {
        denominator <<= -value.exponent;
    }
    let whole = &numerator / &denominator;
    let twice_rest = (&numerator - &whole * &denominator) * 2u8;
    let up = match twice_rest.cmp(&denominator) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Equal => whole.bit(0),
        std::cmp::Ordering::Less => false,
    };
    if up { whole + 1u8 } else { whole }
}

fn fixed(value: Parts, precision: usize, alternate: bool) -> String {
    let digits = scaled(value, precision as i64).to_string();
    let digits = format!("{digits:0>width$}", width = precision + 1);
    let (whole, fraction) = digits.split_at(digits.len() - precision);
    let point = if precision > 0 || alternate { "." } else { "" };
    format!("{whole}{point}{fraction}")
}

/// `precision + 1` significant digits and the decimal exponent of the first.
fn significant(value: Parts, precision: usize) -> (String, i64) {
    if value.mantissa == 0 {
        return ("0".repeat(precision + 1), 0);
    }
    let magnitude = f64::from(64 - value.mantissa.leading_zeros() as i32 + value.exponent) * std::f64::consts::LOG10_2;
    // The estimate is off by at most one; rounding may add a digit besides.
    let mut exponent = magnitude.floor() as i64 - 1;
    loop {
        let digits = scaled(value, precision as i64 - exponent).to_string();
        if digits.len() <= precision + 1 {
            return (digits, exponent);
        }
        exponent += 1;
    }
}

fn scientific(value: Parts, precision: usize, alternate: bool) -> String {
    let (digits, exponent) = significant(value, precision);
    let point = if precision > 0 || alternate { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}{point}{}e{sign}{:02}", &digits[..1], &digits[1..], exponent.abs())
}

fn general(value: Parts, precision: usize, alternate: bool) -> String {
    let (_, exponent) = significant(value, precision - 1);
    let small = exponent < -4 || exponent >= precision as i64;
    let text = if small {
        scientific(value, precision - 1, alternate)
    } else {
        fixed(value, (precision as i64 - 1 - exponent) as usize, alternate)
    };
    if alternate {
        return text;
    }
    let (number, power) = text.split_at(text.find('e').unwrap_or(text.len()));
    let number = if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number };
    format!("{number}{power}")
}

/// As glibc writes them: a double has one digit 1 (0 for denormals) before the point, a long double a digit of four bits.
fn hexadecimal(value: Parts, precision: Option<usize>, alternate: bool) -> String {
    let (head_bits, total_bits, bias) = match value.format {
        Format::Double => (1, 53, 52),
        Format::Extended => (4, 64, 60),
    };
    let fraction_digits = (total_bits - head_bits) / 4;
    let exponent = if value.mantissa == 0 { 0 } else { value.exponent + bias };
    let mut mantissa = u128::from(value.mantissa);
    let mut digits = fraction_digits;
    match precision {
        Some(wanted) if wanted < fraction_digits => {
            let drop = 4 * (fraction_digits - wanted) as u32;
            let (rest, half) = (mantissa & ((1 << drop) - 1), 1u128 << (drop - 1));
            mantissa >>= drop;
            if rest > half || rest == half && mantissa & 1 == 1 {
                mantissa += 1;
            }
            digits = wanted;
        }
        Some(_) => {}
        None => {
            while digits > 0 && mantissa & 0xF == 0 {
                mantissa >>= 4;
                digits -= 1;
            }
        }
    }
    let head = mantissa >> (4 * digits);
    let fraction = mantissa & ((1u128 << (4 * digits)) - 1);
    let padding = precision.unwrap_or(0).saturating_sub(fraction_digits);
    let mut text = format!("0x{head:x}");
    if digits > 0 || padding > 0 || alternate {
        text.push('.');
    }
    if digits > 0 {
        text.push_str(&format!("{fraction:0digits$x}"));
    }
    text.push_str(&"0".repeat(padding));
    format!("{text}p{exponent:+}")
}

/// Text of a well-formed number, in the form that [`Float::from_str_r`] takes.
fn tidy(text: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(text).to_lowercase();
    if text.starts_with("0x") && !text.contains('p') {
        text.push_str("p0");
    }
    text
}

pub(crate) fn parse_double(text: &[u8]) -> u64 {
    let text = tidy(text);
    match text.parse::<f64>() {
        Ok(value) => value.to_bits(),
        Err(_) => Double::from_str_r(&text, Round::NearestTiesToEven).map_or(0, |v| v.value.to_bits() as u64),
    }
}

pub(crate) fn parse_float(text: &[u8]) -> u32 {
    let text = tidy(text);
    match text.parse::<f32>() {
        Ok(value) => value.to_bits(),
        Err(_) => Single::from_str_r(&text, Round::NearestTiesToEven).map_or(0, |v| v.value.to_bits() as u32),
    }
}

pub(crate) fn parse_extended(text: &[u8]) -> u128 {
    F80::from_str_r(&tidy(text), Round::NearestTiesToEven).map_or(0, |v| v.value.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: f64, conversion: u8, precision: Option<usize>, alternate: bool, expected: &str) {
        let text = format(Parts::double(value.to_bits()), conversion, precision, alternate);
        assert_eq!(String::from_utf8_lossy(&text), expected, "{value} {}", conversion as char);
    }

    #[test]
    fn conversions_of_printf() {
        check(0.0, b'f', None, false, "0.000000");
        check(0.5, b'f', Some(0), false, "0");
        check(1.5, b'f', Some(0), true, "2.");
        check(0.1, b'f', Some(20), false, "0.10000000000000000555");
        check(1e22, b'f', Some(1), false, "10000000000000000000000.0");
        check(9.9999, b'e', Some(2), false, "1.00e+01");
        check(0.0, b'e', Some(3), false, "0.000e+00");
        check(5e-324, b'e', Some(5), false, "4.94066e-324");
        check(f64::MAX, b'e', None, false, "1.797693e+308");
        check(100000.0, b'g', None, false, "100000");
        check(1000000.0, b'g', None, false, "1e+06");
        check(0.0001, b'g', None, false, "0.0001");
        check(0.00001, b'g', None, false, "1e-05");
        check(1.0, b'g', None, true, "1.00000");
        check(0.0, b'g', None, false, "0");
        check(999999.5, b'g', None, false, "1e+06");
        check(1.0, b'a', None, false, "0x1p+0");
        check(0.1, b'a', None, false, "0x1.999999999999ap-4");
        check(1.999, b'a', Some(1), false, "0x2.0p+0");
        check(5e-324, b'a', None, false, "0x0.0000000000001p-1022");
        check(0.0, b'a', None, false, "0x0p+0");
        check(1.0, b'a', Some(3), false, "0x1.000p+0");
    }

    #[test]
    fn long_double_conversions() {
        let one = Parts::extended(parse_extended(b"1"));
        assert_eq!(format(one, b'a', None, false), b"0x8p-3");
        let tenth = Parts::extended(parse_extended(b"0.1"));
        assert_eq!(format(tenth, b'g', Some(21), false), b"0.100000000000000000001");
        assert_eq!(format(tenth, b'f', None, false), b"0.100000");
    }

    #[test]
    fn numbers_are_read() {
        assert_eq!(parse_double(b"0x1.8p1"), 3.0f64.to_bits());
        assert_eq!(parse_double(b"0x10"), 16.0f64.to_bits());
        assert_eq!(parse_double(b"1e400"), f64::INFINITY.to_bits());
        assert_eq!(parse_double(b".5"), 0.5f64.to_bits());
        assert_eq!(parse_float(b"16777217"), 16777216.0f32.to_bits());
        assert_eq!(parse_double(b"0x1p-1080"), 0);
    }
}
