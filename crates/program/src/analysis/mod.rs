//! What can be said of a program without running it: one analysis of each kind, and everybody asks it.
//!
//! Whoever proves something and whoever runs something must mean the same program: two call graphs that disagree are how a
//! wrong proof comes about.

pub mod call_graph;
pub mod callers;
mod current;
pub mod dominance;
pub mod exposed;
pub mod loops;
pub mod part_used;

pub use call_graph::{CallGraph, Names};
pub use current::{is_current, is_current_in};
pub use dominance::Dominators;
pub use exposed::exposed_globals;
pub use loops::Loops;
pub use part_used::{part_used, part_used_of_call};
