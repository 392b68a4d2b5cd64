//! Scalars of a program, as tests name them.

use serde::{Deserialize, Serialize};

use crate::place::Root;

/// One scalar.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// What it is part of.
    pub root: Root,
    /// Bytes from the start of that.
    pub offset: u64,
    /// How the source would name it: `p->next`, `a[3]`, `x`.
    pub path: String,
    /// What is there.
    pub value: Value,
}

/// A scalar of the program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// `bits` are zero-extended to as many bytes as `size` says: a decimal number, or a hexadecimal one behind `0x`.
    Int {
        /// Hexadecimal, as in memory.
        bits: String,
        /// In bytes.
        size: u32,
        /// Whether the type has a sign.
        signed: bool,
    },
    /// The bits of a `float` (4 bytes), `double` (8) or `long double` (10), in hexadecimal.
    Float {
        /// Hexadecimal, as in memory.
        bits: String,
        /// In bytes.
        size: u32,
    },
    /// An address.
    Pointer(Pointer),
}

/// What a pointer points to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pointer {
    /// Nothing.
    Null,
    /// An input object, or a place in it.
    Object {
        /// Its number.
        id: u32,
        /// Bytes from its start.
        offset: i64,
    },
    /// A function by its name.
    Function(String),
    /// What an argument of the call points to whose result it is, by its number.
    Argument(u32),
    /// A global, or a place in it. Only the end of a run has these.
    Global {
        /// Its name in the source.
        name: String,
        /// Bytes from its start.
        offset: i64,
    },
    /// Something that the run made, or a constant without a name: what matters is what is behind it. Only the end of a run
    /// has these.
    Other,
}

/// A bit-field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BitField {
    /// What it is part of.
    pub root: Root,
    /// Bytes from the start of that to the byte that has its first bit.
    pub offset: u64,
    /// How the source would name it.
    pub path: String,
    /// The first bit, from the lowest of that byte.
    pub first: u32,
    /// How many bits it has.
    pub width: u32,
    /// What is there, a decimal number.
    pub value: String,
}
