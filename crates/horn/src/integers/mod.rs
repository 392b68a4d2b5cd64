//! Clauses over integers: [`encode`] writes the rules, [`decode`] reads invariants back as terms.

mod decode;
mod encode;

pub(crate) use decode::decode;
pub(crate) use encode::{Encoding, encode};
