//! The native replay of a directory, and what its report says afterwards.

use std::path::Path;

use anyhow::{Context, Result};
use covenant_report::{ReplayOptions, ReplayResult, files, write_report};

/// What came of a replay.
#[derive(Clone, PartialEq, Debug)]
pub enum Replayed {
    /// The tests ran. Where something in it contradicts the report, the report stays as it was.
    Ran(Box<ReplayResult>),
    /// Nothing native runs here without being asked to, for this reason.
    NotFenced(String),
    /// Somebody interrupted it, and nothing is concluded.
    Interrupted,
}

pub(crate) fn replay(dir: &Path, options: &ReplayOptions, interrupted: &dyn Fn() -> bool) -> Result<Replayed> {
    let result = match covenant_report::replay(dir, options) {
        Err(covenant_report::Error::Fence(error)) => {
            let mut report = files::read_report(dir)?;
            report.sandbox = Some(format!("no native runs: {error}"));
            write_report(dir, &report)?;
            return Ok(Replayed::NotFenced(error.to_string()));
        }
        result => result.context("the suite cannot be replayed natively")?,
    };
    if interrupted() {
        return Ok(Replayed::Interrupted);
    }
    if result.differences.is_empty() {
        settle(dir, &result)?;
    }
    Ok(Replayed::Ran(Box::new(result)))
}

/// Puts into the report what the replay found out, besides contradictions.
fn settle(dir: &Path, result: &ReplayResult) -> Result<()> {
    let before = files::read_report(dir)?;
    let mut report = before.clone();
    if !result.tests.is_empty() {
        report.sandbox = Some(result.sandbox.clone());
    }
    for (test, why) in &result.inconclusive {
        report.withdraw(test, &format!("test {test} leads there, but natively it {why}, so that nothing confirms it"));
    }
    if report != before {
        write_report(dir, &report)?;
    }
    Ok(())
}
