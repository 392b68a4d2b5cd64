//! Terms as SMT-LIB 2 text, written ([`script`], [`term`]) and read ([`parse`]). [`named`] is for writers with functions of
//! their own.

pub mod named;
pub mod parse;
mod print;
mod reserved;

pub use print::{Assertion, asserted, query, scope, script, term, with_lets};
