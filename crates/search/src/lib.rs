//! The search for tests: what to do next, until every objective is decided or a limit is reached.
//!
//! * [`campaign`] is the way in and out: from a subject and settings to tests, verdicts and what these rest on.
//! * `scheduler` says whose turn it is.
//! * `tactics` are the ways to decide objectives: path search, bounded queries, abstraction refinement, provers. Each owns
//!   its state, and none knows the others.
//! * `lab` is what they share: it runs the program, asks solvers, and keeps the ledger.
//! * [`strategy`] orders the ways that runs left open, one file a strategy; [`cfg`](mod@cfg) is the control-flow graph that
//!   they share, and `route` a path as that graph shows it.
//! * [`guided`] is about traces: which are asked for, and which of them their own conditions exclude.
//! * `bounded` encodes all ways on from a place of a run, with loops unwound, as one condition. It finds tests and proves
//!   nothing.
//! * [`strong`] finds tests in which a mutant shows, by running it beside the program.
//! * [`exhaustion`] is about certificates of "all paths are known".
//!
//! Whoever chooses here never decides a verdict: runs and proofs do.

mod around;
mod bounded;
pub mod campaign;
pub mod cfg;
pub mod exhaustion;
pub mod guided;
mod lab;
mod limits;
mod observer;
mod rates;
mod route;
mod scheduler;
mod settings;
pub mod strategy;
pub mod strong;
mod tactics;

pub use settings::Settings;
