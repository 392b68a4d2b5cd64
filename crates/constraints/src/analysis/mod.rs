//! Cheap analyses of terms: which bits are known, and between which bounds a value lies, under a set of constraints. They
//! decide many queries of programs (a loop counter against its bound, a masked value, a promoted `char`) without a solver.

mod domain;
mod facts;
mod transfer;

pub use domain::Range;
pub(crate) use facts::Sources;
pub use facts::{Facts, Mark};
