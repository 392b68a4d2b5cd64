//! Clauses over integers. A bit-vector is an integer in one of its two readings, signed or unsigned, chosen for each variable
//! by what is done with it ([`reading`]); [`constants`] of the program can be unknown numbers. [`encode`] writes the rules,
//! [`decode`] reads invariants back as terms. [`query`] writes plain constraints.

mod constants;
mod decode;
mod encode;
mod expr;
mod number;
mod operations;
mod query;
mod reading;

pub(super) use decode::decode;
pub(super) use encode::{Encoding, encode};
pub(super) use number::residue;
pub(super) use query::{query, switch};
