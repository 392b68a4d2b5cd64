//! Proofs that no input reaches an objective.
//!
//! * [`flow`] is the program as a graph of locations, an over-approximation of all runs.
//! * [`certificate`] is what every proof is written down as, and how it is checked.

pub mod certificate;
pub mod flow;
