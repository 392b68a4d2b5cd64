//! The second opinion: certificates held against the program, by a reading of the program and by a solver that had no part in
//! finding them.
//!
//! [`encoding`] makes questions of certificates and the IR, [`confirm`] has cvc5 answer, [`verdict`] says what follows. Nothing
//! of a certificate is believed but what a solver confirms, and nothing of the code that made it is used.

pub mod confirm;
mod cvc5;
pub mod encoding;
pub mod verdict;

pub use confirm::{CheckOptions, Checked};
pub use verdict::Verdict;
