//! The tactics: each one way to decide objectives, with what only it needs to know. None of them knows the others; what one
//! found out that others go by is in the lab.

pub(crate) mod bounded;
pub(crate) mod fuzzing;
pub(crate) mod paths;
pub(crate) mod proofs;
pub(crate) mod refinement;
