//! What Covenant is asked for and what it answers.
//!
//! [`objective`]: things to reach; [`criteria`] makes them, one file a criterion. [`mod@test_case`]: inputs of one run and what it leaves behind, [`device`] those
//! that come from device registers. [`level`]: what standards ask for.
//! [`ledger`]: what is known of each objective, and on which evidence. [`certificate`]: evidence as files. [`report`]: the
//! answer as files (`report.json`). [`picture`]: a model of a prover, to be drawn. [`traces`]: the ways of a program without
//! its data. [`words`]: verdicts, statuses, reasons and outcomes as types. [`written`]: how the source writes branches.

pub mod certificate;
pub mod criteria;
pub mod device;
pub mod ledger;
pub mod level;
mod observed;
pub mod picture;
pub mod place;
mod registry;
pub mod report;
pub mod test_case;
pub mod traces;
mod value;
pub mod words;
pub mod written;

pub use criteria::{Criterion, local_path, objective};
pub use ledger::{Contradiction, Ledger, Proof, Verdict};
pub use level::Level;
pub use objective::{LocalPath, Mutated, Objective, ObjectiveId, Outcome, PathStep, Place};
pub use picture::{ModelStep, PictureEdge, PictureNode};
pub use report::Report;
pub use test_case::TestCase;
pub use words::{Reason, ReasonKind, Status, TestOutcome, VerdictKind};
pub use written::Written;
