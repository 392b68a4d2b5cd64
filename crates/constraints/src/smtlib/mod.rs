//! Terms as SMT-LIB 2 text, written ([`script`], [`term`]) and read ([`parse`]).

pub mod parse;
mod print;

pub use print::{Assertion, query, scope, script, term};
