//! The subjects of `tests/c/criteria`: criteria besides branches.

use super::notes::{Notes, Totals};
use super::{
    LIMIT, TIMEOUT, defects, expected_defects, generate, named_branches, not_covered, objectives, report, suite_passes,
    true_defects,
};
use crate::process;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

pub(crate) fn check(file: &Path) -> Result<()> {
    let notes = Notes::read(file)?;
    let home = tempfile::tempdir()?;
    let done = generate(file, &notes, home.path(), TIMEOUT, &[])?;
    let report = report(&done)?;
    let mut open = 0;
    for (criterion, expected) in &notes.by_criterion {
        let found = totals(&report, criterion)?;
        ensure!(found == *expected, "{criterion}: {found:?}, expected {expected:?}; open:\n{}", not_covered(&report));
        open += expected.unknown;
    }
    named_branches(&report, &notes)?;
    expected_defects(&report, &notes)?;
    let tests = report["tests"].as_array().map_or(0, Vec::len) as u64;
    ensure!(notes.most_tests.is_none_or(|most| tests <= most), "{tests} tests");
    let code = i32::from(open > 0 || true_defects(&report) > 0);
    ensure!(done.status == Some(code), "exit code {:?}\n{}", done.status, process::tail(&done.stderr, 10));
    nothing_is_refused(home.path())?;
    // gcc compiles for this machine.
    if tests > 0 && defects(&report).is_empty() && notes.machine.is_none() {
        suite_passes(home.path(), "gcc", "-O1")?;
    }
    Ok(())
}

/// Strong mutation of a small subject: what is equivalent is proved, and added tests kill what survived.
pub(crate) fn mutates(file: &Path) -> Result<()> {
    let notes = Notes { options: Vec::new(), ..Notes::read(file)? };
    let home = tempfile::tempdir()?;
    generate(file, &notes, home.path(), TIMEOUT, &["--no-replay"])?;
    let mutate = |more: &[&str]| -> Result<Value> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_covenant"));
        command.args(["mutate", "out", "--json"]).args(more).current_dir(home.path());
        let done = process::run(command, &[], LIMIT)?;
        serde_json::from_slice(&done.stdout).with_context(|| process::tail(&done.stderr, 10))
    };
    let number = |value: &Value, name: &str| value["totals"][name].as_u64().unwrap_or(0);
    let before = mutate(&[])?;
    ensure!(number(&before, "mutants") == 29 && number(&before, "equivalent") == 6, "{}", before["totals"]);
    ensure!(number(&before, "killed") > 0, "{}", before["totals"]);
    let improved = mutate(&["--improve"])?;
    ensure!(number(&improved, "killed") > number(&before, "killed"), "{} {}", before["totals"], improved["totals"]);
    // The suite on disk has the new tests.
    let after = mutate(&["--timeout", "0"])?;
    ensure!(number(&after, "killed") == number(&improved, "killed"), "{} {}", improved["totals"], after["totals"]);
    suite_passes(home.path(), "gcc", "-O1")
}

/// Each mutant of the subject shows in some test that `gen` itself makes, but for so many that are proved to be the same function.
pub(crate) fn notices(file: &Path, same: u64) -> Result<()> {
    let notes = Notes::read(file)?;
    let home = tempfile::tempdir()?;
    generate(file, &notes, home.path(), TIMEOUT, &[])?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_covenant"));
    let timeout = if same == 0 { "0" } else { TIMEOUT };
    command.args(["mutate", "out", "--json", "--timeout", timeout]).current_dir(home.path());
    let done = process::run(command, &[], LIMIT)?;
    let mutated: Value = serde_json::from_slice(&done.stdout).with_context(|| process::tail(&done.stderr, 10))?;
    let is_alive = |mutant: &&Value| mutant["fate"] == "survived";
    let alive: Vec<&Value> = mutated["mutants"].as_array().into_iter().flatten().filter(is_alive).collect();
    let number = |name: &str| mutated["totals"][name].as_u64().unwrap_or(0);
    ensure!(number("killed") > 0 && alive.is_empty(), "survivors: {alive:?}");
    ensure!(number("equivalent") == same, "{}", mutated["totals"]);
    Ok(())
}

fn totals(report: &Value, criterion: &str) -> Result<Totals> {
    let totals = &report["totals"][criterion];
    let number = |name: &str| totals[name].as_u64().with_context(|| format!("no total `{name}` of {criterion}"));
    Ok(Totals { covered: number("covered")?, infeasible: number("infeasible")?, unknown: number("unknown")? })
}

/// Each certificate proves what it should, and nothing is missing.
fn nothing_is_refused(home: &Path) -> Result<()> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_covenant"));
    command.args(["check", "out", "--json"]).current_dir(home);
    let done = process::run(command, &[], LIMIT)?;
    let text = String::from_utf8_lossy(&done.stdout);
    let wrong = || format!("check: status {:?}\n{text}\n{}", done.status, process::tail(&done.stderr, 10));
    let checked: Value = serde_json::from_slice(&done.stdout).with_context(wrong)?;
    // What no call leads to leaves no question for cvc5, and what is behind a caller's pointer the second encoding does not know.
    let is_plain = |o: &&Value| {
        let why = o["reason"].as_str().unwrap_or_default();
        why.starts_with("there is no question for cvc5")
            || why.contains("whether an access fails is known only of objects")
    };
    let plain = objectives(&checked).iter().filter(is_plain).count() as u64;
    let totals = &checked["totals"];
    ensure!(totals["refused"] == 0 && totals["not_checked"] == plain, "{}", wrong());
    ensure!(done.status == Some(i32::from(plain > 0)), "{}", wrong());
    Ok(())
}
