//! The text form of a program: what [`std::fmt::Display`] prints, [`parse`] reads back, ids and all.
//!
//! `parse(&program.to_string())` gives a program equal to the first, for every program that [`crate::verify`] accepts.
//! The form is made to be read in a terminal and to be written by hand in tests:
//!
//! ```text
//! file0 = file "abs.c" in "/src"
//! g0 = global "greeting" const size 6 align 1 init ["hello" 0]
//! g1 = global "table" size 4096 align 8 source "table" init [0*16] relocs [8:8 = g0 + 2]
//! constructors fn1
//!
//! fn0 = function "abs"(i32) -> i32 @ file0:1:5 {
//!     var0 = "a" line 1
//!     v1 = const i32 0
//! bb0(v0!a: i32):
//!     counter 0  @ file0:1:12
//!     v2: i1 = icmp slt v0, i32 0  @ file0:2:9
//!     branch v2, bb1, bb2(v0)  @ file0:2:7
//! bb1:
//!     v3: i32 = sub nsw i32 0, v0
//!     jump bb2(v3)
//! bb2(v4: i32):
//!     return v4
//! }
//! ```
//!
//! * White space and line ends separate words and mean nothing else; a comment runs from `;` to the end of the line.
//! * Files, globals, functions, variables and blocks stand in the order of their ids. Values may have any ids, as long
//!   as together they are `v0` to `vN`. An instruction has the id after that of the one before it, unless `i7:` says so.
//! * An operand is `v3` or a constant, `i32 -5`. The constants of a body stand at its head, with their ids. A constant
//!   operand means the one at the head that equals it; where there is none, a new value with an id after all others.
//!   Where the head has several equal constants, operands name them by id.
//! * Integers are decimal (negative ones stand for their two's complement) or hexadecimal; floats are decimal where that
//!   gives the exact bits, else their bits in hexadecimal. Pointers are `null`, `g1`, `g1 + 8`, `fn2`, `fn2.bb3` (a label)
//!   or bits. Any type has `undef`.
//! * `v4!a` says that `v4` is the value of the source variable `a`; `v4!var2` where that name is not unique.
//! * `@ file0:2:9` is the source location of a function, an instruction or a terminator; `@ ?:2:9` has no file.
//! * Initial bytes are a list of strings, `x"01ff"` and runs `BYTE*COUNT`. A global without `init` is only declared.

mod bytes;
mod lex;
mod parse;
mod parse_body;
mod parse_op;
mod print;
#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;

pub use parse::parse;

/// Where and why a text is not a program. Lines and columns (in characters) count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// What was expected, and what is there.
    pub message: String,
}
