//! The subjects of `tests/c/prove`: loops without a constant bound, so that no enumeration of paths decides them.
//!
//! The totals must be as the subject states, no branch may have a verdict that the subject excludes, and `covenant check`
//! must confirm each proof that has a certificate.

use super::notes::Notes;
use super::reasons::has_words;
use super::{LIMIT, generate, not_covered, objectives, report, totals};
use crate::process;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const TIMEOUT: &str = "120s";

pub(crate) fn check(file: &Path) -> Result<()> {
    let notes = Notes::read(file)?;
    let home = tempfile::tempdir()?;
    let done = generate(file, &notes, home.path(), TIMEOUT, &["--no-replay"])?;
    let report = report(&done)?;
    nothing_wrong(&report, &notes)?;
    has_words(&report)?;
    let found = totals(&report)?;
    ensure!(found == notes.totals, "{found:?}, expected {:?}; not covered:\n{}", notes.totals, not_covered(&report));
    ensure!(done.status == Some(0), "exit code {:?}\n{}", done.status, process::tail(&done.stderr, 10));
    let unconfirmed = unconfirmed(home.path(), &report, TIMEOUT)?;
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
