//! Values of tests as bytes, as C text and for people.

use covenant_goals::test_case::{Pointer, Value};

/// The number that a test writes: decimal, or hexadecimal behind `0x`.
fn integer(bits: &str) -> Result<u128, String> {
    let text = bits.trim();
    let bad = |_| format!("`{bits}` is not a number");
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        u128::from_str_radix(hex, 16).map_err(bad)
    } else if text.starts_with('-') {
        text.parse::<i128>().map(|v| v as u128).map_err(bad)
    } else {
        text.parse().map_err(bad)
    }
}

/// The bits of a floating-point value, always hexadecimal.
fn float_bits(bits: &str) -> Result<u128, String> {
    let text = bits.trim();
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    u128::from_str_radix(hex, 16).map_err(|_| format!("`{bits}` is not a hexadecimal number"))
}

/// The bits of a scalar that is not a pointer, cut to its size.
pub(crate) fn bits(value: &Value) -> Result<Option<(u128, u32)>, String> {
    let (bits, size) = match value {
        Value::Int { bits, size, .. } => (integer(bits)?, *size),
        Value::Float { bits, size } => (float_bits(bits)?, *size),
        Value::Pointer(_) => return Ok(None),
    };
    if size == 0 || size > 16 {
        return Err(format!("a scalar of {size} bytes"));
    }
    Ok(Some((bits & mask(size), size)))
}

fn mask(size: u32) -> u128 {
    if size >= 16 { u128::MAX } else { (1 << (8 * size)) - 1 }
}

/// Little-endian bytes. A pointer has none that mean something outside its process, and is zero.
pub(crate) fn bytes(value: &Value, pointer_size: u32) -> Result<Vec<u8>, String> {
    let (bits, size) = bits(value)?.unwrap_or((0, pointer_size));
    Ok(bits.to_le_bytes()[..size as usize].to_vec())
}

fn signed(bits: u128, size: u32) -> i128 {
    let unused = 128 - 8 * size;
    ((bits << unused) as i128) >> unused
}

/// A C constant of at most 8 bytes.
pub(crate) fn c_constant(value: &Value, bits: u128, size: u32) -> String {
    match value {
        Value::Int { signed: true, .. } => match signed(bits, size) {
            v if v == i128::from(i64::MIN) => "-9223372036854775807LL - 1".to_owned(),
            v if i32::try_from(v).is_ok_and(|v| v != i32::MIN) => v.to_string(),
            v => format!("{v}LL"),
        },
        Value::Int { .. } if bits <= i32::MAX as u128 => bits.to_string(),
        Value::Int { .. } => format!("{bits}ULL"),
        _ => format!("0x{bits:0width$x}ULL", width = 2 * size as usize),
    }
}

/// A string literal with exactly these bytes (and C's own zero behind them).
pub(crate) fn c_string(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => text.extend(['\\', byte as char]),
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            // A question mark may begin a trigraph.
            b' '..=b'~' if byte != b'?' => text.push(byte as char),
            // Three octal digits always end the escape.
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push('"');
    text
}

/// A path as a person would write it: `(*p).next` and `p[0].next` are `p->next`.
pub fn readable_path(path: &str) -> String {
    let mut text = path.to_owned();
    while let Some(end) = text.find(").") {
        let Some(start) = text[..end].rfind("(*") else { break };
        text = format!("{}{}->{}", &text[..start], &text[start + 2..end], &text[end + 2..]);
    }
    match text.split_once("[0].") {
        Some((name, member)) if !name.contains(['.', '[', '>']) => format!("{name}->{member}"),
        _ => text,
    }
}

/// For people: `-5`, `3.5`, `NULL`, `&object 2 + 8`.
pub(crate) fn words(value: &Value) -> String {
    match (value, bits(value)) {
        (Value::Int { signed: true, .. }, Ok(Some((bits, size)))) => signed(bits, size).to_string(),
        (Value::Int { .. }, Ok(Some((bits, _)))) => bits.to_string(),
        (Value::Float { .. }, Ok(Some((bits, size)))) => float_words(bits, size),
        (Value::Pointer(pointer), _) => pointer_words(pointer),
        (Value::Int { bits, .. } | Value::Float { bits, .. }, _) => bits.clone(),
    }
}

fn pointer_words(pointer: &Pointer) -> String {
    match pointer {
        Pointer::Null => "NULL".to_owned(),
        Pointer::Object { id, offset: 0 } => format!("&object {id}"),
        Pointer::Object { id, offset } => format!("&object {id} {} {}", sign(*offset), offset.unsigned_abs()),
        Pointer::Function(name) | Pointer::Global { name, offset: 0 } => format!("&{name}"),
        Pointer::Global { name, offset } => format!("&{name} {} {}", sign(*offset), offset.unsigned_abs()),
        Pointer::Argument(param) => format!("argument {}", param + 1),
        Pointer::Other => "an object".to_owned(),
    }
}

fn sign(offset: i64) -> char {
    if offset < 0 { '-' } else { '+' }
}

/// As C's `scanf` reads it back; a `long double` is given with the precision of a `double`.
pub(crate) fn float_words(bits: u128, size: u32) -> String {
    let plain = |text: String| text.replace("NaN", "nan");
    match size {
        4 => plain(format!("{:?}", f32::from_bits(bits as u32))),
        8 => plain(format!("{:?}", f64::from_bits(bits as u64))),
        _ => plain(format!("{:?}", extended(bits))),
    }
}

/// An x87 number as a `double`, rounded to zero.
fn extended(bits: u128) -> f64 {
    let negative = bits >> 79 & 1 == 1;
    let exponent = (bits >> 64 & 0x7fff) as i32;
    let mantissa = bits as u64;
    let magnitude = match exponent {
        0x7fff if mantissa << 1 == 0 => f64::INFINITY,
        0x7fff => f64::NAN,
        // Two steps, since the scale alone may not fit a double.
        _ => (mantissa as f64) * 2f64.powi(-63) * 2f64.powi((exponent - 16383).clamp(-1100, 1024)),
    };
    if negative { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(bits: &str, size: u32, signed: bool) -> Value {
        Value::Int { bits: bits.into(), size, signed }
    }

    fn c(value: &Value) -> String {
        let (b, size) = bits(value).unwrap().unwrap();
        c_constant(value, b, size)
    }

    #[test]
    fn integers_keep_their_sign_and_width() {
        assert_eq!(c(&int("4294967291", 4, true)), "-5");
        assert_eq!(c(&int("4294967291", 4, false)), "4294967291ULL");
        assert_eq!(c(&int("0x80000000", 4, true)), "-2147483648LL");
        assert_eq!(c(&int("-9223372036854775808", 8, true)), "-9223372036854775807LL - 1");
        assert_eq!(c(&int("255", 1, true)), "-1");
        assert_eq!(words(&int("340282366920938463463374607431768211455", 16, true)), "-1");
        assert!(bits(&int("five", 4, true)).is_err());
        assert!(bits(&int("5", 0, true)).is_err());
    }

    #[test]
    fn floats_are_their_bits() {
        let pi = Value::Float { bits: "40490fdb".into(), size: 4 };
        assert_eq!(c(&pi), "0x40490fdbULL");
        assert_eq!(words(&pi), "3.1415927");
        assert_eq!(words(&Value::Float { bits: "0x7ff8000000000000".into(), size: 8 }), "nan");
        assert_eq!(words(&Value::Float { bits: "c000c000000000000000".into(), size: 10 }), "-3.0");
        assert_eq!(words(&Value::Float { bits: "7fff8000000000000000".into(), size: 10 }), "inf");
    }

    #[test]
    fn paths_are_as_written() {
        assert_eq!(readable_path("(*p).next"), "p->next");
        assert_eq!(readable_path("(*(*p).next).value"), "p->next->value");
        assert_eq!(readable_path("p[0].pos"), "p->pos");
        assert_eq!(readable_path("p[3].pos"), "p[3].pos");
        assert_eq!(readable_path("s.items[0].x"), "s.items[0].x");
    }

    #[test]
    fn strings_hold_any_bytes() {
        assert_eq!(c_string(b"a\"\\\n1?\0\xff"), r#""a\"\\\n1\077\000\377""#);
    }
}
