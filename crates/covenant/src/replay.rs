//! The native replay of a directory, and what its report says afterwards.

use std::path::Path;

use anyhow::{Context, Result};
use covenant_report::{ReplayOptions, ReplayResult, SubjectInfo, content, files, write_report};

use crate::check::request_of;
use crate::subject;

/// What came of a replay.
#[derive(Clone, PartialEq, Debug)]
pub enum Replayed {
    /// The tests ran. Where something in it contradicts the report, the report stays as it was.
    Ran(Box<ReplayResult>),
    /// The code is not what it was when the results were made: what its tests do now contradicts nothing, and the results stay as
    /// they are.
    Changed {
        /// Which files and functions, in words.
        changes: Vec<String>,
        /// What the tests do now; `None`: they do not compile any more, for this reason.
        now: Result<Box<ReplayResult>, String>,
    },
    /// Nothing native runs here without being asked to, for this reason.
    NotFenced(String),
    /// The tests cannot be built for the machine that the code is for.
    NotBuilt(String),
    /// Somebody interrupted it, and nothing is concluded.
    Interrupted,
}

pub(crate) fn replay(dir: &Path, options: &ReplayOptions, interrupted: &dyn Fn() -> bool) -> Result<Replayed> {
    let stored = files::read_subject(dir)?;
    let changes = content::changes(&stored, None);
    let options = &ReplayOptions { keeps_lines: options.keeps_lines && changes.is_empty(), ..options.clone() };
    let result = match covenant_report::replay(dir, options) {
        Err(covenant_report::Error::Build { message, .. }) if !changes.is_empty() => {
            return Ok(Replayed::Changed { changes: named(&stored, changes), now: Err(message) });
        }
        Err(covenant_report::Error::Fence(error)) => {
            let mut report = files::read_report(dir)?;
            report.sandbox = Some(format!("no native runs: {error}"));
            write_report(dir, &report)?;
            return Ok(Replayed::NotFenced(error.to_string()));
        }
        Err(covenant_report::Error::Build { message, .. }) if !stored.machine().is_empty() => {
            let mut report = files::read_report(dir)?;
            report.sandbox = Some("no native runs: the tests cannot be built for that machine here".to_owned());
            write_report(dir, &report)?;
            return Ok(Replayed::NotBuilt(message));
        }
        result => result.context("the suite cannot be replayed natively")?,
    };
    if interrupted() {
        return Ok(Replayed::Interrupted);
    }
    if !changes.is_empty() {
        return Ok(Replayed::Changed { changes: named(&stored, changes), now: Ok(Box::new(result)) });
    }
    if result.differences.is_empty() {
        settle(dir, &result)?;
    }
    Ok(Replayed::Ran(Box::new(result)))
}

/// The same changes with the functions that are not what they were, if the code can still be loaded.
fn named(stored: &SubjectInfo, changes: Vec<String>) -> Vec<String> {
    let loaded = request_of(stored).and_then(|request| subject::load(&request, &mut |_| {}));
    loaded.map_or(changes, |loaded| content::changes(stored, Some(&loaded.info)))
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
