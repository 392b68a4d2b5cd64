//! Proofs that no input reaches an objective.
//!
//! * [`flow`] is the program as a graph of locations, an over-approximation of all runs;
//! * [`invariants`] proves by inductive invariants, found forwards, from templates and by k-induction.

pub mod flow;
pub mod invariants;
