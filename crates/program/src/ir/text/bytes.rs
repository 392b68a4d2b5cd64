//! Strings and the initial bytes of globals, as text.

use std::fmt::{self, Write};

/// A run of equal bytes at least this long is printed as a run.
const MIN_RUN: usize = 12;
/// Printable bytes in a row before they are printed as a string.
const MIN_TEXT: usize = 3;
/// Bytes of one string or hexadecimal group; longer ones are split, so that lines stay readable.
const MAX_GROUP: usize = 64;

/// Prints a name between quotes. Printable characters of any script stay as they are.
pub(super) fn write_str(f: &mut impl Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        if c.is_control() {
            let mut buffer = [0; 4];
            c.encode_utf8(&mut buffer).bytes().try_for_each(|b| write_escaped(f, b))?;
        } else if c == '"' || c == '\\' {
            write!(f, "\\{c}")?;
        } else {
            f.write_char(c)?;
        }
    }
    f.write_char('"')
}

fn write_escaped(f: &mut impl Write, byte: u8) -> fmt::Result {
    match byte {
        b'\n' => f.write_str("\\n"),
        b'\t' => f.write_str("\\t"),
        b'"' | b'\\' => write!(f, "\\{}", char::from(byte)),
        b' '..=b'~' => f.write_char(char::from(byte)),
        _ => write!(f, "\\x{byte:02x}"),
    }
}

/// Prints the initial bytes of a global: runs, text, and hexadecimal for the rest.
pub(super) fn write_bytes(f: &mut impl Write, bytes: &[u8]) -> fmt::Result {
    f.write_char('[')?;
    let mut rest = bytes;
    let mut first = true;
    while let Some(&byte) = rest.first() {
        if !std::mem::take(&mut first) {
            f.write_char(' ')?;
        }
        let length = match (run(rest), text(rest)) {
            (n, _) if n >= MIN_RUN => {
                write!(f, "{byte}*{n}")?;
                n
            }
            (_, n) if n >= MIN_TEXT => {
                f.write_char('"')?;
                rest[..n].iter().try_for_each(|b| write_escaped(f, *b))?;
                f.write_char('"')?;
                n
            }
            (1, _) if rest.len() == 1 => {
                write!(f, "{byte}")?;
                1
            }
            _ => {
                let n = binary(rest);
                f.write_str("x\"")?;
                rest[..n].iter().try_for_each(|b| write!(f, "{b:02x}"))?;
                f.write_char('"')?;
                n
            }
        };
        rest = &rest[length..];
    }
    f.write_char(']')
}

/// How many bytes at the start are the same.
fn run(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| **b == bytes[0]).count()
}

/// How many bytes at the start print as text.
fn text(bytes: &[u8]) -> usize {
    let printable = |b: &&u8| matches!(b, b' '..=b'~' | b'\n' | b'\t');
    bytes.iter().take(MAX_GROUP).take_while(printable).count()
}

/// How many bytes at the start are best printed in hexadecimal: up to the next run or text.
fn binary(bytes: &[u8]) -> usize {
    let limit = bytes.len().min(MAX_GROUP / 2);
    (1..limit).find(|i| run(&bytes[*i..]) >= MIN_RUN || text(&bytes[*i..]) > MIN_TEXT).unwrap_or(limit)
}
