//! Proofs that no input reaches an objective.
//!
//! * [`flow`] is the program as a graph of locations, an over-approximation of all runs.

pub mod flow;
