//! The program as a transition system: what proofs are about and what they are held against.
//!
//! * [`flow`] is the program as a graph of locations, an over-approximation of all runs; [`trace`] follows runs in it.
//! * [`lemma_check`] makes an inductive invariant of what provers believe, [`certificate`] writes it down and reads it back.
//! * [`account`] tells people why a proof holds, by the lines of the source.
//! * [`compiled`] evaluates formulas on the state of a run, [`words`] shows them to people.
//!
//! This is what a proof is trusted for. Nothing here guesses: a limit makes the flow coarser, never smaller. Whoever looks for a
//! proof may be wrong, which costs a proof and never makes a false one.

pub mod account;
pub mod certificate;
pub mod compiled;
pub mod flow;
pub mod lemma_check;
pub mod trace;
pub mod words;
