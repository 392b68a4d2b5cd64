//! The words of the contract as types: what a script reads in `report.json` is one of these, and the code compares no text.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr};

/// What is known of an objective, without its evidence.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    Display,
    EnumString,
    IntoStaticStr,
    Serialize,
    Deserialize,
)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// A test reaches it.
    Covered,
    /// No input reaches it: there is a proof.
    Infeasible,
    /// Neither is known.
    #[default]
    Unknown,
}

impl VerdictKind {
    /// As files have it.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// Why the search ended.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    Display,
    EnumString,
    IntoStaticStr,
    Serialize,
    Deserialize,
)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Nothing was left to try.
    #[default]
    Complete,
    /// The time given was over.
    Timeout,
    /// A number that the user set was reached: tests or iterations.
    Limit,
    /// A signal ended it.
    Interrupted,
}

impl Status {
    /// As files have it.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// What keeps an objective open. The order is that of [`Reason::all`]: what stands first must be settled first.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display, EnumString, IntoStaticStr, Serialize, Deserialize,
)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum ReasonKind {
    /// The budget ended.
    Time,
    /// A construct that is not understood.
    Unsupported,
    /// Something that Covenant itself chose to leave out.
    Model,
    /// Something that the user chose to leave out: a loop bound, a depth, a rule, a criterion that is only measured.
    Bound,
    /// A question was not answered.
    Solver,
}

impl ReasonKind {
    /// As files have it.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// Why an objective is open. Reasons are ordered by their words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reason {
    /// For people.
    pub words: String,
    /// For scripts.
    pub kind: ReasonKind,
}

impl Reason {
    /// A reason in words.
    pub fn new(kind: ReasonKind, words: impl Into<String>) -> Reason {
        Reason { words: words.into(), kind }
    }

    /// Several reasons as one; `None` if there are none.
    pub fn all(reasons: impl IntoIterator<Item = Reason>) -> Option<Reason> {
        let reasons: Vec<Reason> = reasons.into_iter().collect();
        let kind = reasons.iter().map(|reason| reason.kind).min()?;
        let words: Vec<String> = reasons.into_iter().map(|reason| reason.words).collect();
        Some(Reason { words: words.join("; "), kind })
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words)
    }
}

/// How the run of a test ended.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    Display,
    EnumString,
    IntoStaticStr,
    Serialize,
    Deserialize,
)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum TestOutcome {
    /// The function under test returned.
    #[default]
    Returned,
    /// It ended the process with a status.
    Exited,
    /// `abort` or a failed assertion.
    Aborted,
    /// A run-time error.
    Trapped,
    /// It took more steps than it may.
    StepLimit,
}

impl TestOutcome {
    /// As files have it.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_same_in_text_and_json() {
        for outcome in [TestOutcome::Returned, TestOutcome::StepLimit] {
            assert_eq!(serde_json::to_value(outcome).unwrap(), outcome.to_string());
            assert_eq!(outcome.to_string().parse(), Ok(outcome));
        }
        assert_eq!(serde_json::to_value(ReasonKind::Unsupported).unwrap(), "unsupported");
        assert_eq!(serde_json::to_value(Status::Interrupted).unwrap(), "interrupted");
        assert_eq!(serde_json::to_value(VerdictKind::Infeasible).unwrap(), "infeasible");
    }

    #[test]
    fn of_several_reasons_the_one_to_settle_first_gives_the_kind() {
        let solver = Reason::new(ReasonKind::Solver, "no answer");
        let model = Reason::new(ReasonKind::Model, "pinned");
        let joined = Reason::all([solver, model]).unwrap();
        assert_eq!((joined.kind, joined.words.as_str()), (ReasonKind::Model, "no answer; pinned"));
        assert_eq!(Reason::all([]), None);
    }
}
