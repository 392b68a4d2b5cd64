//! What a program compares with: its constants, and its texts.

use std::collections::BTreeSet;

use covenant_program::ir::{Const, Def, Origin, Program, Terminator};

/// Longer texts are not what inputs are compared with.
const LONGEST: usize = 32; // not tuning: what is a word

/// Texts that are kept of those that runs compare.
const MOST_COMPARED: usize = 256; // not tuning: memory

/// What a program may compare its inputs with.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// Integers.
    pub(super) numbers: Vec<u128>,
    /// Those that are a character.
    pub(super) characters: Vec<u8>,
    /// Texts without their end.
    pub(super) texts: Vec<Vec<u8>>,
    /// Texts that runs compared with something.
    pub(super) compared: Vec<Vec<u8>>,
    /// The integers and those beside them as people write them, for code that reads them so.
    pub(super) written: Vec<Vec<u8>>,
}

impl Words {
    /// The words of the subject's own code.
    pub(super) fn of(program: &Program) -> Words {
        let mut numbers = BTreeSet::new();
        let own = program.functions.values().filter(|function| function.origin == Origin::Subject);
        for body in own.filter_map(|function| function.body.as_ref()) {
            numbers.extend(body.values.values().filter_map(|value| match value.def {
                Def::Const(Const::Bits(bits)) if !value.ty.is_float() => Some(bits),
                _ => None,
            }));
            for block in body.blocks.values() {
                if let Terminator::Switch { cases, .. } = &block.term {
                    numbers.extend(cases.iter().map(|(value, _)| *value));
                }
            }
        }
        let literals = program.globals.values().filter(|global| global.origin == Origin::Subject && global.constant);
        let texts: BTreeSet<Vec<u8>> = literals.filter_map(|global| text(global.init.as_deref()?)).collect();
        let visible = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        let mut characters: BTreeSet<u8> = numbers.iter().filter_map(|&n| u8::try_from(n).ok()).collect();
        characters.extend(texts.iter().flatten().copied().filter(visible));
        let written: BTreeSet<Vec<u8>> = numbers.iter().flat_map(|&n| written(n)).collect();
        Words {
            compared: Vec::new(),
            written: written.into_iter().collect(),
            numbers: numbers.into_iter().collect(),
            characters: characters.into_iter().filter(|&byte| byte != 0).collect(),
            texts: texts.into_iter().collect(),
        }
    }

    /// A run compared something with this text.
    pub(super) fn compare(&mut self, text: &[u8]) {
        if self.compared.len() < MOST_COMPARED && !self.compared.iter().any(|known| known == text) {
            self.compared.push(text.to_vec());
        }
    }
}

/// A number and those beside it, with both signs, if it is more than a digit.
fn written(number: u128) -> Vec<Vec<u8>> {
    // What is negative has the bits of an `int` or of a `long`.
    let number = match u32::try_from(number) {
        Ok(number) => i64::from(number as i32),
        Err(_) => number as u64 as i64,
    };
    let (least, size) = (10, number.unsigned_abs());
    let beside = [size.saturating_sub(1), size, size.saturating_add(1)].into_iter().filter(|_| size >= least);
    beside.flat_map(|n| [n.to_string(), format!("-{n}")]).map(String::into_bytes).collect()
}

/// Bytes up to the zero that ends them, if they are a short text.
fn text(bytes: &[u8]) -> Option<Vec<u8>> {
    let end = bytes.iter().position(|&byte| byte == 0)?;
    let is_text = end > 0 && end <= LONGEST && end + 1 == bytes.len();
    is_text.then(|| bytes[..end].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_with_those_beside_them() {
        let texts = |number: u128| -> Vec<String> {
            written(number).into_iter().map(|text| String::from_utf8(text).unwrap_or_default()).collect()
        };
        assert_eq!(texts(42), ["41", "-41", "42", "-42", "43", "-43"]);
        assert!(texts(u128::from(-10_000_i32 as u32)).contains(&"-10001".to_owned()));
        assert!(texts(7).is_empty());
    }
}
