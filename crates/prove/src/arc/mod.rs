//! Abstraction refinement and coarsening: a model of the program that is split where a frontier cannot be crossed.
//!
//! After Baluda, Braione, Denaro and Pezzè, "Enhancing structural software coverage by incrementally computing branch
//! executability" (2011). A node is a location with a conjunction of predicates. An edge from a node that some run has
//! covered to one that none has is a frontier: either a test crosses it, or the covered node is split into the states
//! that can step over it and those that cannot. All runs so far are among the latter, so nothing is run again. A node
//! that nothing reaches any more is unreachable. Once a node is covered or unreachable, the splits made for it are undone.
//!
//! * [`model`] keeps nodes, splits and what is blocked.
//! * [`frontier`] chooses where to try next, and sees when a node has become unreachable.

pub mod frontier;
pub mod model;
