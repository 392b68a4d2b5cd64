//! `report.json`: the contract with scripts. Fields may be added, never changed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Criterion;
use crate::criteria::mcdc::Rule;
use crate::level::Level;
use crate::objective::Outcome;
use crate::words::{ReasonKind, Status, TestOutcome, VerdictKind};

/// The version of the form of `report.json`.
pub const SCHEMA: u32 = 1; // not tuning: a format

/// `report.json`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// The version of this form.
    pub schema: u32,
    /// Who wrote it.
    pub tool: Tool,
    /// What was tested.
    pub subject: Subject,
    /// What was searched for.
    pub criteria: Vec<Criterion>,
    /// The level of a standard that asks for these criteria, if the user named one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub level: Option<Level>,
    /// Criteria that were not searched for: their totals count what the tests reach all the same.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub measured: Vec<Criterion>,
    /// Which pairs of test vectors show a condition, where MC/DC is asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mcdc: Option<Rule>,
    /// By its name on the command line.
    pub strategy: String,
    /// For what was random.
    pub seed: u64,
    /// Why the search ended.
    pub status: Status,
    /// Every limit of the input space, in words.
    pub assumptions: Vec<String>,
    /// In the order of criteria, and for each in that of the source.
    pub objectives: Vec<ObjectiveEntry>,
    /// Objectives outside of the scope that tests take in passing; none of the totals counts them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub passing: Vec<ObjectiveEntry>,
    /// How many of each criterion came out how.
    pub totals: BTreeMap<Criterion, Totals>,
    /// In the order in which they were found.
    pub tests: Vec<TestEntry>,
    /// Run-time errors that some input causes.
    pub defects: Vec<Defect>,
    /// What it took.
    pub stats: Stats,
    /// How it went on.
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
    /// Objectives that the earlier tests reached and those that are kept do not.
    pub lost: Vec<String>,
}

impl Report {
    /// Takes a test's word back: what no other test covers is open, for this reason.
    pub fn withdraw(&mut self, test: &str, reason: &str) {
        for objective in &mut self.passing {
            objective.tests.retain(|name| name != test);
        }
        self.passing.retain(|objective| !objective.tests.is_empty());
        for objective in &mut self.objectives {
            objective.tests.retain(|name| name != test);
            let alone = objective.tests.is_empty() && objective.existing.is_none();
            if objective.verdict == VerdictKind::Covered && alone {
                objective.verdict = VerdictKind::Unknown;
                objective.kind = Some(ReasonKind::Model);
                objective.reason = Some(reason.to_owned());
                if let Some(totals) = self.totals.get_mut(&objective.criterion) {
                    totals.covered = totals.covered.saturating_sub(1);
                    totals.unknown += 1;
                }
            }
        }
    }

    /// Defects that do not only break what the code seems to expect of its callers.
    pub fn true_defects(&self) -> impl Iterator<Item = &Defect> {
        self.defects.iter().filter(|defect| defect.contract.is_none())
    }

    /// Of all criteria that were searched for together: what is only measured, or part of something else, was not asked for.
    pub fn asked(&self) -> Totals {
        let asked = |name: &Criterion| self.criteria.is_empty() || self.criteria.contains(name);
        let all = self.totals.iter().filter(|(name, _)| asked(name)).map(|(_, totals)| *totals);
        all.fold(Totals::default(), Totals::plus)
    }

    /// How many of what is infeasible is only dead in this program: the callers that there are cannot cause it.
    pub fn dead(&self) -> usize {
        let is_dead = |o: &&ObjectiveEntry| o.verdict == VerdictKind::Infeasible && !o.callers.is_empty();
        self.objectives.iter().filter(is_dead).count()
    }

    /// Something is open, or a defect was found: exit code 1.
    pub fn needs_a_look(&self) -> bool {
        self.true_defects().next().is_some() || self.totals.values().any(|totals| totals.unknown > 0)
    }
}

/// Who wrote a report.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Tool {
    /// `covenant`.
    pub name: String,
    /// Its own.
    pub version: String,
}

/// What was tested.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Subject {
    /// As the user named them.
    pub files: Vec<String>,
    /// The function under test.
    pub function: String,
    /// The user's, for clang.
    pub flags: Vec<String>,
}

/// An objective with what is known of it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ObjectiveEntry {
    /// Unique in the report, and stable.
    pub id: String,
    /// What it is an objective of.
    pub criterion: Criterion,
    /// The function that it is in.
    pub function: String,
    /// As the coverage mapping names it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
    /// The condition or the line, as the source has it.
    pub text: String,
    /// What is to happen there.
    pub outcome: Outcome,
    /// What is known.
    pub verdict: VerdictKind,
    /// Names of tests.
    pub tests: Vec<String>,
    /// The file of coverage that says that a suite which was there before covers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub existing: Option<String>,
    /// The certificate, relative to the report.
    pub proof: Option<String>,
    /// Why it is infeasible or open, for people.
    pub reason: Option<String>,
    /// What keeps it open, where it is unknown.
    #[serde(default)]
    pub kind: Option<ReasonKind>,
    /// The user's assumptions that the proof may have used, where it is infeasible.
    #[serde(default)]
    pub rests_on: Vec<String>,
    /// Where it is dead in this program: the callers of the function, none of which can cause it. Another caller could.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub callers: Vec<String>,
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

/// A decision of MC/DC.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Decision {
    /// Unique in the report.
    pub id: String,
    /// As the source has it.
    pub text: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// The conditions in the order of the source.
    pub conditions: Vec<String>,
}

/// One evaluation of a decision by a test.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Evaluation {
    /// The test that it was seen in.
    pub test: String,
    /// For each condition; `null` if it was not evaluated.
    pub values: Vec<Option<bool>>,
    /// Of the whole decision.
    pub result: bool,
}

/// A small change of the source.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Mutant {
    /// The name of the rule that made it.
    pub operator: String,
    /// What the source has.
    pub from: String,
    /// What the mutant has.
    pub to: String,
}

/// How many objectives came out how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Totals {
    /// All.
    pub objectives: u32,
    /// Reached by a test.
    pub covered: u32,
    /// Proved out of reach.
    pub infeasible: u32,
    /// Neither.
    pub unknown: u32,
}

impl Totals {
    /// One more objective.
    pub fn count(&mut self, verdict: VerdictKind) {
        self.objectives += 1;
        match verdict {
            VerdictKind::Covered => self.covered += 1,
            VerdictKind::Infeasible => self.infeasible += 1,
            VerdictKind::Unknown => self.unknown += 1,
        }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, more: Totals) -> Totals {
        Totals {
            objectives: self.objectives + more.objectives,
            covered: self.covered + more.covered,
            infeasible: self.infeasible + more.infeasible,
            unknown: self.unknown + more.unknown,
        }
    }
}

/// A test of the suite.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TestEntry {
    /// Unique in the report.
    pub name: String,
    /// Below the output directory.
    pub file: String,
    /// How its run ended.
    pub outcome: TestOutcome,
}

/// A run-time error that some input causes.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Defect {
    /// A word for it, such as `out-of-bounds`.
    pub kind: String,
    /// Where it happens.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// What happens, for people.
    pub message: String,
    /// The test that shows it.
    pub test: String,
    /// What a caller must break for it, in words, if that is only what the code seems to expect of its callers.
    #[serde(default)]
    pub contract: Option<String>,
    /// The option of `gen` that says that callers keep the contract, where there is one: `--length buf=len`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    /// The pointers that are NULL where that breaks a contract, as the source names them, members with a dot before, with
    /// spaces between.
    #[serde(skip)]
    pub null: Option<String>,
    /// The integer that is no index of a table where that breaks a contract, written likewise.
    #[serde(skip)]
    pub index: Option<String>,
}

/// What a run took.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Stats {
    /// From the start to the report.
    pub wall_ms: u64,
    /// Frontiers or flips that were tried.
    pub iterations: u64,
    /// Runs of the program.
    pub executions: u64,
    /// Those in which functions of the C library decided more than once by inputs.
    #[serde(default)]
    pub forked_runs: u64,
    /// Further runs that only looked where inputs of chance lead.
    #[serde(default)]
    pub blind_runs: u64,
    /// That all runs executed.
    pub instructions: u64,
    /// Those that are kept.
    pub tests: u64,
    /// Questions to the solver for paths and provers.
    pub solver_calls: u64,
    /// Those that an SMT solver had to resolve; bounds, propagation or earlier answers decide the others.
    #[serde(default)]
    pub smt_calls: u64,
    /// Those that were asked when all was decided, for proofs that others can check.
    #[serde(default)]
    pub certificate_calls: u64,
    /// Answers with inputs.
    pub solver_sat: u64,
    /// Answers that there are none.
    pub solver_unsat: u64,
    /// No answers.
    pub solver_unknown: u64,
    /// What these took.
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
    /// Splits of the model.
    pub refinements: u64,
    /// Splits that were undone.
    pub coarsenings: u64,
    /// The most nodes that the model had.
    pub model_nodes_peak: u64,
    /// The longest conjunction of predicates that a node of the model had.
    #[serde(default)]
    pub predicate_peak: u64,
    /// The most memory that the process had.
    pub peak_rss_bytes: u64,
}

impl Stats {
    /// Adds what another search took. Times, peaks and tests stay what they are.
    pub fn add(&mut self, more: &Stats) {
        self.iterations += more.iterations;
        self.executions += more.executions;
        self.forked_runs += more.forked_runs;
        self.blind_runs += more.blind_runs;
        self.instructions += more.instructions;
        self.solver_calls += more.solver_calls;
        self.smt_calls += more.smt_calls;
        self.certificate_calls += more.certificate_calls;
        self.solver_sat += more.solver_sat;
        self.solver_unsat += more.solver_unsat;
        self.solver_unknown += more.solver_unknown;
        self.solver_ms += more.solver_ms;
        self.solver_late += more.solver_late;
        self.hopeful_flips += more.hopeful_flips;
        self.choosing_ms += more.choosing_ms;
        self.refinements += more.refinements;
        self.coarsenings += more.coarsenings;
    }
}

/// How far the search was at some time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Moment {
    /// Since the start.
    pub ms: u64,
    /// Runs until then.
    pub executions: u64,
    /// Objectives that a test reached by then.
    pub covered: u64,
    /// Objectives that were proved out of reach by then.
    pub infeasible: u64,
}
