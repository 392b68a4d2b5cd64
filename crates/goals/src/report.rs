//! `report.json`: the contract with scripts. Fields may be added, never changed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Criterion;
use crate::criteria::mcdc::Rule;
use crate::objective::Outcome;
use crate::words::{ReasonKind, Status, TestOutcome, VerdictKind};

pub const SCHEMA: u32 = 1; // not tuning: a format

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    pub schema: u32,
    pub tool: Tool,
    pub subject: Subject,
    pub criteria: Vec<Criterion>,
    /// Criteria that were not searched for: their totals count what the tests reach all the same.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub measured: Vec<Criterion>,
    /// Which pairs of test vectors show a condition, where MC/DC is asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mcdc: Option<Rule>,
    pub strategy: String,
    pub seed: u64,
    pub status: Status,
    /// Every limit of the input space, in words.
    pub assumptions: Vec<String>,
    pub objectives: Vec<ObjectiveEntry>,
    pub totals: BTreeMap<Criterion, Totals>,
    pub tests: Vec<TestEntry>,
    pub defects: Vec<Defect>,
    pub stats: Stats,
    pub timeline: Vec<Moment>,
    /// What became of the tests of an earlier run, if this one was told of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub since: Option<Since>,
    /// What fenced the native runs that confirmed the tests, in words, or why there were none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sandbox: Option<String>,
}

/// An earlier run's tests, held against the code as it is now.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Since {
    /// The output directory of the earlier run.
    pub directory: String,
    /// Tests that were kept.
    pub kept: Vec<String>,
    /// Tests that do not pass any more, with what differs.
    pub failing: Vec<(String, String)>,
    /// Objectives that the kept tests do not reach, by id: new ones, and those that they reached before.
    pub new: Vec<String>,
    pub lost: Vec<String>,
}

impl Report {
    /// Takes a test's word back: what no other test covers is open, for this reason.
    pub fn withdraw(&mut self, test: &str, reason: &str) {
        for objective in &mut self.objectives {
            objective.tests.retain(|name| name != test);
            if objective.verdict == VerdictKind::Covered && objective.tests.is_empty() {
                objective.verdict = VerdictKind::Unknown;
                objective.kind = Some(ReasonKind::Unsupported);
                objective.reason = Some(reason.to_owned());
                if let Some(totals) = self.totals.get_mut(&objective.criterion) {
                    totals.covered = totals.covered.saturating_sub(1);
                    totals.unknown += 1;
                }
            }
        }
    }

    /// Something is open, or a defect was found: exit code 1.
    pub fn needs_a_look(&self) -> bool {
        !self.defects.is_empty() || self.totals.values().any(|totals| totals.unknown > 0)
    }
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Tool {
    pub name: String,
    pub version: String,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Subject {
    pub files: Vec<String>,
    pub function: String,
    pub flags: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ObjectiveEntry {
    pub id: String,
    pub criterion: Criterion,
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub text: String,
    pub outcome: Outcome,
    pub verdict: VerdictKind,
    /// Names of tests.
    pub tests: Vec<String>,
    pub proof: Option<String>,
    pub reason: Option<String>,
    /// What keeps it open, where it is unknown.
    #[serde(default)]
    pub kind: Option<ReasonKind>,
    /// The user's assumptions that the proof may have used, where it is infeasible.
    #[serde(default)]
    pub rests_on: Vec<String>,
    /// For a branch: the number of its region among the function's branch regions, as llvm-cov lists them, from 0. With it
    /// the replay knows the branch for certain; a position may be that of several.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub region: Option<u32>,
    /// For MC/DC: the number of the decision among those of the function and of the condition in it, as llvm-cov lists
    /// them, from 0.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub decision: Option<(u32, u32)>,
    /// For what is reached by several objectives together: lists of their ids, each of which is enough.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub parts: Option<Vec<Vec<String>>>,
    /// Who proved it, where it is infeasible.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub prover: Option<String>,
    /// What the criterion says beyond a condition and its outcome.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub details: Option<Box<Details>>,
}

/// All parts are optional; each criterion fills those that are about it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Details {
    /// MC/DC: the decision that the condition is part of. Objectives with the same `id` share a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// MC/DC: which of the decision's conditions, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<u32>,
    /// MC/DC: the two evaluations that show the condition's effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pair: Vec<Evaluation>,
    /// Mutation: what stands in place of what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutant: Option<Mutant>,
    /// Anything else, as names and words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<(String, String)>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Decision {
    pub id: String,
    pub text: String,
    pub line: u32,
    pub column: u32,
    /// The conditions in the order of the source.
    pub conditions: Vec<String>,
}

/// One evaluation of a decision by a test.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Evaluation {
    pub test: String,
    /// For each condition; `null` if it was not evaluated.
    pub values: Vec<Option<bool>>,
    pub result: bool,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Mutant {
    /// The name of the rule that made it.
    pub operator: String,
    pub from: String,
    pub to: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Totals {
    pub objectives: u32,
    pub covered: u32,
    pub infeasible: u32,
    pub unknown: u32,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TestEntry {
    pub name: String,
    /// Below the output directory.
    pub file: String,
    pub outcome: TestOutcome,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Defect {
    pub kind: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub message: String,
    /// The test that shows it.
    pub test: String,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Stats {
    pub wall_ms: u64,
    pub iterations: u64,
    pub executions: u64,
    pub instructions: u64,
    pub tests: u64,
    pub solver_calls: u64,
    /// Those that an SMT solver had to resolve; bounds, propagation or earlier answers decide the others.
    #[serde(default)]
    pub smt_calls: u64,
    /// Those that were asked when all was decided, for proofs that others can check.
    #[serde(default)]
    pub certificate_calls: u64,
    pub solver_sat: u64,
    pub solver_unsat: u64,
    pub solver_unknown: u64,
    pub solver_ms: u64,
    /// Questions that the clock ended, also those of provers: where there are any, another machine may give other results.
    #[serde(default)]
    pub solver_late: u64,
    /// Flips to a branch that was covered already, in the hope of what lies behind it.
    pub hopeful_flips: u64,
    /// Microseconds of the search alone, without compiling.
    #[serde(default)]
    pub search_us: u64,
    /// Time that went into choosing what to try next.
    #[serde(default)]
    pub choosing_ms: u64,
    pub refinements: u64,
    pub coarsenings: u64,
    pub model_nodes_peak: u64,
    /// The longest conjunction of predicates that a node of the model had.
    #[serde(default)]
    pub predicate_peak: u64,
    pub peak_rss_bytes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Moment {
    pub ms: u64,
    pub executions: u64,
    pub covered: u64,
    pub infeasible: u64,
}
