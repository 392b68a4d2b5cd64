//! Clauses over integers. A bit-vector is an integer in one of its two readings, signed or unsigned, chosen for each variable
//! by what is done with it ([`reading`]). [`encode`] writes the rules, [`decode`] reads invariants back as terms.

mod decode;
mod encode;
mod expr;
mod number;
mod operations;
mod reading;

pub(super) use decode::decode;
pub(super) use encode::encode;
