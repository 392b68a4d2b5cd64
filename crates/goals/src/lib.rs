//! What Covenant is asked for and what it answers.
//!
//! [`objective`]: things to reach; [`criteria`] makes them, with one file a criterion beside it. [`test_case`]: inputs of one run. [`ledger`]: what is known of each objective, and
//! on which evidence. [`certificate`]: evidence as files. [`report`]: the answer as files (`report.json`). [`picture`]: a
//! model of a prover, to be drawn. [`traces`]: the ways of a program without its data.

mod aside;
mod assertion;
pub mod boundary;
pub mod branch;
pub mod certificate;
mod condition;
pub mod criteria;
mod decision;
mod decisions;
mod expression;
mod function;
pub mod ledger;
pub mod local_path;
mod lost;
pub mod mcdc;
mod mutation;
pub mod objective;
pub mod picture;
pub mod report;
mod runtime_error;
mod statement;
pub mod test_case;
pub mod traces;

pub use ledger::{Contradiction, Ledger, Proof, Verdict};
pub use objective::{Criterion, Objective, ObjectiveId, Outcome, Place};
pub use picture::{ModelStep, PictureEdge, PictureNode};
pub use report::Report;
pub use test_case::TestCase;
