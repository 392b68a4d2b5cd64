//! Scalars as constants of C that have the right type for the place where they stand.

use covenant_goals::test_case::Value;

use crate::value;

/// `None` if there is no constant for it: wide integers, `long double`, unusual NaNs.
pub(crate) fn scalar(value: &Value) -> Option<String> {
    let (bits, size) = value::bits(value).ok()??;
    match value {
        Value::Int { signed: true, .. } => signed(bits, size),
        Value::Int { .. } => unsigned(bits, size),
        Value::Float { .. } => float(bits, size),
        Value::Pointer(_) => None,
    }
}

/// The constant for an element of a `char` array or a `char` variable.
pub(crate) fn character(value: &Value) -> Option<String> {
    let (bits, size) = value::bits(value).ok()??;
    let letter = u8::try_from(bits).ok().filter(|c| size == 1 && (b' '..=b'~').contains(c));
    match letter {
        _ if bits == 0 && size == 1 => Some("'\\0'".to_owned()),
        Some(c @ (b'\'' | b'\\')) => Some(format!("'\\{}'", c as char)),
        Some(c) => Some(format!("'{}'", c as char)),
        None => scalar(value),
    }
}

fn signed(bits: u128, size: u32) -> Option<String> {
    if size > 8 {
        return None;
    }
    let number = ((bits << (128 - 8 * size)) as i128) >> (128 - 8 * size);
    Some(if number == i128::from(i64::MIN) {
        "(-9223372036854775807LL - 1)".to_owned()
    } else if number == i128::from(i32::MIN) {
        "(-2147483647 - 1)".to_owned()
    } else if i32::try_from(number).is_ok() {
        number.to_string()
    } else {
        format!("{number}LL")
    })
}

fn unsigned(bits: u128, size: u32) -> Option<String> {
    match size {
        0..=8 if bits <= i32::MAX as u128 => Some(bits.to_string()),
        0..=4 => Some(format!("{bits}U")),
        5..=8 => Some(format!("{bits}ULL")),
        _ => None,
    }
}

fn float(bits: u128, size: u32) -> Option<String> {
    let (number, suffix, plain_nan) = match size {
        4 => {
            let number = f32::from_bits(bits as u32);
            (format!("{number:?}"), "f", bits & 0x7fff_ffff == 0x7fc0_0000)
        }
        8 => {
            let number = f64::from_bits(bits as u64);
            (format!("{number:?}"), "", bits & 0x7fff_ffff_ffff_ffff == 0x7ff8_0000_0000_0000)
        }
        _ => return None,
    };
    let sign = if bits >> (8 * size - 1) & 1 == 1 { "-" } else { "" };
    match number.as_str() {
        "NaN" if plain_nan => Some(format!("{sign}NAN")),
        "NaN" => None,
        "inf" | "-inf" => Some(format!("{sign}INFINITY")),
        // Rust gives the shortest text that is read back as the same number, always with a point or an exponent.
        text => Some(format!("{text}{suffix}")),
    }
}

/// The constant that a `float` or `double` is compared with. One NaN is as good as another.
pub(crate) fn expected_float(value: &Value) -> Option<String> {
    let Value::Float { .. } = value else { return None };
    let (bits, size) = value::bits(value).ok()??;
    let is_nan = match size {
        4 => f32::from_bits(bits as u32).is_nan(),
        8 => f64::from_bits(bits as u64).is_nan(),
        _ => return None,
    };
    if is_nan { Some("NAN".to_owned()) } else { float(bits, size) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(bits: &str, size: u32, signed: bool) -> Value {
        Value::Int { bits: bits.into(), size, signed }
    }

    fn real(bits: &str, size: u32) -> Value {
        Value::Float { bits: bits.into(), size }
    }

    #[test]
    fn constants_have_the_type_they_need() {
        assert_eq!(scalar(&int("4294967291", 4, true)).unwrap(), "-5");
        assert_eq!(scalar(&int("2147483648", 4, true)).unwrap(), "(-2147483647 - 1)");
        assert_eq!(scalar(&int("4294967295", 4, false)).unwrap(), "4294967295U");
        assert_eq!(scalar(&int("5000000000", 8, true)).unwrap(), "5000000000LL");
        assert_eq!(scalar(&int("18446744073709551615", 8, false)).unwrap(), "18446744073709551615ULL");
        assert_eq!(scalar(&int("1", 16, false)), None);
        assert_eq!(character(&int("39", 1, true)).unwrap(), "'\\''");
        assert_eq!(character(&int("255", 1, true)).unwrap(), "-1");
    }

    #[test]
    fn floats_are_read_back() {
        assert_eq!(scalar(&real("40490fdb", 4)).unwrap(), "3.1415927f");
        assert_eq!(scalar(&real("3ff0000000000000", 8)).unwrap(), "1.0");
        assert_eq!(scalar(&real("fff0000000000000", 8)).unwrap(), "-INFINITY");
        assert_eq!(scalar(&real("7ff8000000000000", 8)).unwrap(), "NAN");
        assert_eq!(scalar(&real("ffffffffffffffff", 8)), None);
        assert_eq!(expected_float(&real("ffffffffffffffff", 8)).unwrap(), "NAN");
    }
}
