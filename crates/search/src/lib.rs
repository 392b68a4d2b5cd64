//! The search for tests: what to do next, until every objective is decided or a limit is reached.
//!
//! * [`campaign`] runs, learns, flips, and asks provers.
//! * [`strategy`] orders the ways that runs left open, one file a strategy; [`cfg`](mod@cfg) is the control-flow graph that
//!   they share, and `route` a path as that graph shows it.
//! * [`guided`] is about traces: which are asked for, and which of them their own conditions exclude.
//! * `leap` asks for all ways on from a place of a run at once. It finds tests and proves nothing.
//! * [`exhaustion`] is about certificates of "all paths are known".
//!
//! Whoever chooses here never decides a verdict: runs and proofs do.

mod around;
pub mod campaign;
pub mod cfg;
pub mod exhaustion;
pub mod guided;
mod leap;
mod limits;
mod route;
mod settings;
pub mod strategy;

pub use settings::Settings;
