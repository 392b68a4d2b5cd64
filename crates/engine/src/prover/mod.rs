//! Proofs that no input reaches an objective.
//!
//! * [`flow`] is the program as a graph of locations, an over-approximation of all runs; [`trace`] follows runs in it.
//! * [`arc`] is a model of it that is refined where tests do not get through.
//! * [`invariants`] finds conditions that hold whenever a location is reached, without looking at runs.
//! * [`backward`] goes from a target to what must hold before it, as long as anything can.
//! * [`spacer`] has Z3 look for them, for one objective at a time.
//! * [`leap`] asks for all ways on from a place of a run at once. It finds tests and proves nothing.
//! * [`question`] is what provers have in common, so that the campaign can ask one after the other.
//! * [`justify`] makes an inductive invariant of what provers believe, [`certificate`] writes it down and reads it back.

pub mod arc;
pub mod backward;
pub mod certificate;
pub mod compiled;
pub mod flow;
pub mod inductive;
pub mod invariants;
pub mod justify;
pub(crate) mod leap;
pub mod question;
pub mod samples;
pub mod spacer;
pub mod trace;
pub mod words;
