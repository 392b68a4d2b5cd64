//! Native replay: every claim of a report, held against what the compiled program does.
//!
//! Subject and suite are built with clang's coverage and the address and undefined-behaviour sanitizers. Every test runs
//! in a process of its own and leaves a profile of its own; the counters are mapped to the file (continuous mode), so
//! that they survive however the test ends. llvm-cov then says, independently of us, which branches a test took.
//!
//! Two things are told apart. A *difference* contradicts a claim and is a bug of ours. A *note* is worth reading and
//! contradicts nothing: a sanitizer saw something that Covenant was not asked to look for, say.

mod build;
mod compare;
mod coverage;
mod decisions;
mod run;

use std::path::{Path, PathBuf};
use std::time::Duration;

use covenant_goals::TestCase;
use serde::Serialize;

use crate::parallel::in_parallel;
use crate::{Error, files};

pub use coverage::BranchCount;
pub use run::{End, TestReplay};

#[derive(Clone, Debug)]
pub struct ReplayOptions {
    /// The clang to use; `None` looks for one.
    pub clang: Option<PathBuf>,
    /// For one test.
    pub timeout: Duration,
    /// For one test, in bytes.
    pub memory: u64,
    /// Tests that run at the same time; 0: one for each core.
    pub jobs: usize,
}

impl Default for ReplayOptions {
    fn default() -> ReplayOptions {
        ReplayOptions { clang: None, timeout: Duration::from_secs(10), memory: 2 << 30, jobs: 0 }
    }
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct ReplayResult {
    /// In the order of the report.
    pub tests: Vec<TestReplay>,
    /// What all tests together took, at the places of the report's branches.
    pub branches: Vec<BranchCount>,
    /// Claims that do not hold, in words.
    pub differences: Vec<String>,
    pub notes: Vec<String>,
    /// Claims that llvm-cov has no counts for: how many objectives of which criterion.
    pub unconfirmed: std::collections::BTreeMap<String, u32>,
}

/// What one test did: how it ended, and the branches that llvm-cov saw.
struct Replayed {
    run: TestReplay,
    taken: coverage::Taken,
}

/// Replays the suite of an output directory. All that is needed is read from it: `subject.json`, `report.json`,
/// `tests/*.json` and, if it is there, `suite/c`.
pub fn replay(dir: &Path, options: &ReplayOptions) -> Result<ReplayResult, Error> {
    let subject = files::read_subject(dir)?;
    let report = files::read_report(dir)?;
    let tests = files::read_tests(dir, &report)?;
    let scratch = tempfile::Builder::new().prefix("covenant-").tempdir().map_err(Error::file(&std::env::temp_dir()))?;
    let tools = build::Tools::find(options)?;
    let mut notes = Vec::new();
    let program = build::build(dir, scratch.path(), &subject, &tests, &tools, &mut notes)?;
    let places = coverage::Places::new(&report, &subject);
    let one = |test: &TestCase, index: usize| -> Result<Replayed, Error> {
        let profile = scratch.path().join(format!("{index}.profraw"));
        let run = run::run(&program, test, &format!("{}%c", profile.display()), scratch.path(), options)?;
        let taken = coverage::read(&program, &profile, &tools, &places)?;
        // Profiles of large subjects are large.
        let _ = std::fs::remove_file(&profile);
        Ok(Replayed { run, taken })
    };
    let replayed = in_parallel(&tests, options.jobs, one)?;
    let mut result = compare::compare(&report, &tests, &places, &replayed);
    if report.objectives.iter().any(|o| o.decision.is_some()) {
        let program = build::build_decisions(dir, scratch.path(), &subject, &tests, &tools)?;
        let calm: Vec<bool> = replayed.iter().map(|r| r.run.is_calm()).collect();
        let seen = decisions::read(&program, &tests, &calm, scratch.path(), &tools, options)?;
        decisions::compare(&report, &tests, &calm, &seen, &mut result);
    }
    result.unconfirmed = unconfirmed(&report);
    notes.append(&mut result.notes);
    result.notes = notes;
    result.tests = replayed.into_iter().map(|r| r.run).collect();
    Ok(result)
}

/// Covered objectives that only Covenant's own runs confirm, by criterion.
fn unconfirmed(report: &covenant_goals::Report) -> std::collections::BTreeMap<String, u32> {
    let mut counts = std::collections::BTreeMap::new();
    for objective in report.objectives.iter().filter(|o| o.verdict == "covered") {
        let seen = match objective.criterion.as_str() {
            "branch" | "condition" | "statement" | "function" => true,
            "mcdc" => objective.decision.is_some(),
            // It is a part of what is confirmed.
            "mcdc-vector" => true,
            _ => false,
        };
        if !seen {
            *counts.entry(objective.criterion.clone()).or_insert(0) += 1;
        }
    }
    counts
}
