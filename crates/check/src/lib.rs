//! The second opinion: certificates held against the program, by a solver that had no part in finding them.
//!
//! [`judge`] makes questions of certificates and verdicts of answers; [`confirm`] has cvc5 answer. Nothing of a certificate is
//! believed but what a solver confirms.

pub mod confirm;
mod cvc5;
pub mod judge;

pub use confirm::{CheckOptions, Checked};
pub use judge::Verdict;
