//! Runs with symbolic values beside concrete ones.
//!
//! [`meaning`] is what instructions mean as terms, [`symbolic`] is the shadow that carries terms and knows the inputs; [`run`] takes a [`Subject`] and inputs through one run,
//! [`tree`] puts the paths of many runs together, and [`shrink`](mod@shrink) makes inputs small. Nothing here chooses what to
//! run next or says what holds of all runs.

pub mod meaning;
pub mod run;
pub mod shrink;
mod subject;
pub mod symbolic;
pub mod tree;

pub use subject::Subject;
