//! The provers that are asked one after the other.

use crate::inductive::Inductive;
use crate::question::Prover;
use crate::spacer::Spacer;

/// In the order of their cost.
pub fn provers() -> Vec<Box<dyn Prover>> {
    vec![Box::new(Inductive), Box::new(Spacer::default())]
}
