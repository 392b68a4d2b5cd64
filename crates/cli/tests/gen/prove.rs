//! The subjects of `tests/c/prove`: loops without a constant bound, so that no enumeration of paths decides them.
//!
//! - `prove::NAME`: the totals are as the subject states, no branch has a verdict that the subject excludes, and
//!   `covenant check` confirms each proof that has a certificate.
//! - `open::NAME`: a subject of [`OPEN`]. What is claimed of it must be right too, but not all is decided. Fails when
//!   it is, so that the list gets shorter.

use super::notes::Notes;
use super::{LIMIT, generate, not_covered, objectives, report, totals};
use crate::process;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Subjects with branches that are not decided yet, and what stands in the way.
const OPEN: &[(&str, &str)] = &[
    ("binary_search_bounds", "no invariant for the middle of two bounds that move"),
    ("counter_never_negative", "no invariant that ties the counter to the index"),
    ("deep_count", "the test takes twelve turns with a hit in each"),
    ("deep_threshold", "the test takes seventeen turns"),
    ("do_while", "no invariant between the counter and n behind the loop"),
    ("flag_set_once", "a test of two turns, and no invariant that ties the flag to the count"),
    ("gcd_by_subtraction", "runs with long loops eat the time"),
    ("global_counter", "the test takes thirteen turns"),
    ("growing_divisor", "the test takes eight turns; no range for the divisor"),
    ("helper_in_one_context", "the test takes ten turns"),
    ("hundred_thousand_turns", "no invariant between turns, index and start; runs are long"),
    ("loop_after_loop", "no invariant that goes from one loop to the next"),
    ("parity", "no invariant for the lowest bit"),
    ("saturating_counter", "the tests take five turns one way"),
    ("step_of_three", "no invariant for the remainder by three"),
    ("sum_of_small_values", "no invariant with a multiple of the index"),
    ("take_turns", "no invariant between the turn and the difference"),
    ("wide_counter", "no invariant with a multiple of the index"),
    ("wrap_unsigned", "no invariant for the remainder of a difference"),
    ("wrap_unsigned_char", "no invariant for the lowest bit"),
];

const TIMEOUT: &str = "30s";
/// What is open stays so for much longer than this: a subject that is decided within it belongs to the others.
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
    certificates_hold(home.path(), &report)?;
    let found = totals(&report)?;
    if let Some(why) = why_open {
        ensure!(found != notes.totals, "decided now: take it from the list of open subjects ({why})");
        return Ok(());
    }
    ensure!(found == notes.totals, "{found:?}, expected {:?}; not covered:\n{}", notes.totals, not_covered(&report));
    ensure!(done.status == Some(0), "exit code {:?}\n{}", done.status, process::tail(&done.stderr, 10));
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

/// `covenant check` confirms each certificate, and finds one wherever the report names one.
fn certificates_hold(home: &Path, report: &Value) -> Result<()> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_covenant"));
    command.args(["check", "out", "--json"]).current_dir(home);
    let done = process::run(command, &[], LIMIT)?;
    let stderr = || format!("covenant check: status {:?}\n{}", done.status, process::tail(&done.stderr, 10));
    let checked: Value = serde_json::from_slice(&done.stdout).with_context(stderr)?;
    for o in objectives(report).iter().filter(|o| o["verdict"] == "infeasible" && !o["proof"].is_null()) {
        let answer = objectives(&checked).iter().find(|c| c["id"] == o["id"]);
        let answer = answer.with_context(|| format!("{} was not checked", o["id"]))?;
        ensure!(answer["verdict"] == "confirmed", "{}: {}, {}", o["id"], answer["verdict"], answer["reason"]);
    }
    ensure!(done.status == Some(0), "{}", stderr());
    Ok(())
}
