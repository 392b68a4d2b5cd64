//! Terms over bit-vectors, Booleans, IEEE floats and byte arrays; their evaluation, rewriting and analysis; and the chain of
//! solvers that decides them. Nothing here knows of programs.
//!
//! * [`Terms`] is the hash-consed arena; its builder methods simplify as they build ([`rewrite`]).
//! * [`eval`](eval::eval) says what a term is under a [`Model`], and is what every answer of a solver is checked with.
//! * [`smtlib`] writes terms as text and reads them back; [`integers`] asks about words as numbers.

pub mod analysis;
pub mod integers;
pub mod random;
pub mod smtlib;
pub mod solver;
mod terms;
pub mod tuning;

pub use terms::{build, eval, float, op, rewrite, sort, term, value};

pub use eval::{Evaluator, all_true, eval};
pub use op::Op;
pub use sort::{FloatKind, Rounding, Sort};
pub use term::{Node, TermId, Terms, VarId};
pub use value::{ArrayValue, Model, Value};
