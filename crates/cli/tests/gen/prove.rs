//! The subjects of `tests/c/prove`: loops without a constant bound, so that no enumeration of paths decides them.
//!
//! - `prove::NAME`: the totals are as the subject states, no branch has a verdict that the subject excludes, and
//!   `covenant check` confirms each proof that has a certificate.
//! - `open::NAME`: a subject of [`OPEN`]. What is claimed of it must be right too, but not all has to be decided and
//!   confirmed: that depends on the time there is.

use super::notes::Notes;
use super::{LIMIT, generate, not_covered, objectives, report, totals};
use crate::process;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Subjects with branches that are not decided or not confirmed yet, and what was seen to be missing.
const OPEN: &[(&str, &str)] = &[
    ("binary_search_bounds", "proofs take long: a division in the loop"),
    ("deep_count", "a test is missing that takes twelve turns"),
    ("struct_state", "cvc5 gives no answer about a step of the certificates"),
    ("sum_of_small_values", "proofs take long: a multiplication in the loop"),
];

const TIMEOUT: &str = "120s";
/// For subjects that may stay open.
const SHORT: &str = "4s";

/// Why the subject of this name is open, if it is.
pub(crate) fn why_open(name: &str) -> Option<&'static str> {
    OPEN.iter().find(|(open, _)| *open == name).map(|(_, why)| *why)
}

/// Entries of [`OPEN`] that name no subject.
pub(crate) fn strays(names: &[String]) -> Vec<&'static str> {
    let known = |open: &str| names.iter().any(|name| name == open);
    OPEN.iter().map(|(open, _)| *open).filter(|open| !known(open)).collect()
}

pub(crate) fn check(file: &Path, why_open: Option<&str>) -> Result<()> {
    let notes = Notes::read(file)?;
    let home = tempfile::tempdir()?;
    let timeout = if why_open.is_some() { SHORT } else { TIMEOUT };
    let done = generate(file, &notes, home.path(), timeout, &["--no-replay"])?;
    let report = report(&done)?;
    nothing_wrong(&report, &notes)?;
    let unconfirmed = unconfirmed(home.path(), &report, timeout)?;
    let found = totals(&report)?;
    if why_open.is_some() {
        return Ok(());
    }
    ensure!(found == notes.totals, "{found:?}, expected {:?}; not covered:\n{}", notes.totals, not_covered(&report));
    ensure!(done.status == Some(0), "exit code {:?}\n{}", done.status, process::tail(&done.stderr, 10));
    ensure!(unconfirmed.is_empty(), "not confirmed:\n{}", unconfirmed.concat());
    Ok(())
}

/// Subjects name each branch that is infeasible, so that all others can be covered.
fn nothing_wrong(report: &Value, notes: &Notes) -> Result<()> {
    for o in objectives(report) {
        let is_named = |n: &&super::notes::Named| {
            n.verdict == "infeasible" && o["line"] == n.line && o["column"] == n.column && o["outcome"] == *n.outcome
        };
        let wrong = if notes.named.iter().any(|n| is_named(&n)) { "covered" } else { "infeasible" };
        ensure!(o["verdict"] != wrong, "{} is {wrong}, and must not be: {}", o["id"], o["reason"]);
    }
    Ok(())
}

/// The certificates that cvc5 gives no answer about. `Err`: one is missing or refused.
pub(crate) fn unconfirmed(home: &Path, report: &Value, timeout: &str) -> Result<Vec<String>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_covenant"));
    command.args(["check", "out", "--json", "--timeout", timeout]).current_dir(home);
    let done = process::run(command, &[], LIMIT)?;
    let stderr = || format!("covenant check: status {:?}\n{}", done.status, process::tail(&done.stderr, 10));
    let checked: Value = serde_json::from_slice(&done.stdout).with_context(stderr)?;
    let mut open = Vec::new();
    for o in objectives(report).iter().filter(|o| o["verdict"] == "infeasible" && !o["proof"].is_null()) {
        let answer = objectives(&checked).iter().find(|c| c["id"] == o["id"]);
        let answer = answer.with_context(|| format!("{} was not checked", o["id"]))?;
        let words = format!("  {}: {}, {}\n", o["id"], answer["verdict"], answer["reason"]);
        match answer["verdict"].as_str() {
            Some("confirmed") => {}
            Some("not-checked") => open.push(words),
            _ => anyhow::bail!("a certificate that does not hold:\n{words}"),
        }
    }
    ensure!(done.status == Some(i32::from(!open.is_empty())), "{}", stderr());
    Ok(open)
}
