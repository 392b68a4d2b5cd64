//! What a program compares with: its constants, and its texts.

use std::collections::BTreeSet;

use covenant_program::ir::{Const, Def, Origin, Program, Terminator};

/// Longer texts are not what inputs are compared with.
const LONGEST: usize = 32; // not tuning: what is a word

/// What a program may compare its inputs with.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// Integers.
    pub(super) numbers: Vec<u128>,
    /// Those that are a character.
    pub(super) characters: Vec<u8>,
    /// Texts without their end.
    pub(super) texts: Vec<Vec<u8>>,
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
        Words {
            numbers: numbers.into_iter().collect(),
            characters: characters.into_iter().filter(|&byte| byte != 0).collect(),
            texts: texts.into_iter().collect(),
        }
    }
}

/// Bytes up to the zero that ends them, if they are a short text.
fn text(bytes: &[u8]) -> Option<Vec<u8>> {
    let end = bytes.iter().position(|&byte| byte == 0)?;
    let is_text = end > 0 && end <= LONGEST && end + 1 == bytes.len();
    is_text.then(|| bytes[..end].to_vec())
}
