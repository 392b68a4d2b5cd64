//! The words of proofs: why what is infeasible is, with the lines and values that exclude it.
//!
//! `reasons/NAME.txt` has the reasons of some subjects in full; `UPDATE_EXPECT=1` writes them anew. All subjects of
//! `tests/c/prove` are held against what every reason must have.

use super::notes::Notes;
use super::{generate, objectives, report};
use anyhow::{Result, ensure};
use expect_test::expect_file;
use serde_json::Value;
use std::path::Path;

/// Subjects whose reasons are told in full: proofs by invariants, by all paths, by control flow, and of labels and parts.
pub(crate) const TOLD: &[(&str, &str)] = &[
    ("prove", "min_and_max"),
    ("prove", "parity"),
    ("prove", "state_machine"),
    ("prove", "two_contexts"),
    ("prove", "global_counter"),
    ("prove", "pointer_ring"),
    ("criteria", "never_left"),
    ("criteria", "errors"),
    ("criteria", "coupled"),
    ("criteria", "known_kinds"),
    ("criteria", "border_of_types"),
    ("criteria", "cut_off"),
];

const TIMEOUT: &str = "120s";

pub(crate) fn check(file: &Path, name: &str) -> Result<()> {
    let home = tempfile::tempdir()?;
    let report = report(&generate(file, &Notes::read(file)?, home.path(), TIMEOUT, &["--no-replay"])?)?;
    let mut text = String::new();
    for o in objectives(&report).iter().filter(|o| o["verdict"] == "infeasible") {
        let word = |key: &str| o[key].as_str().unwrap_or_default().to_owned();
        text.push_str(&format!("{}\n    {}\n", word("id"), word("reason")));
    }
    ensure!(!text.is_empty(), "nothing is infeasible");
    expect_file![format!("{}/tests/gen/reasons/{name}.txt", env!("CARGO_MANIFEST_DIR"))].assert_eq(&text);
    Ok(())
}

/// Each reason has a line, a condition as the source writes it, and beside it a value or what is said of one.
pub(crate) fn has_words(report: &Value) -> Result<()> {
    for o in objectives(report).iter().filter(|o| o["verdict"] == "infeasible") {
        let reason = o["reason"].as_str().unwrap_or_default();
        let after = reason.split("line ").skip(1);
        let has_line = after.into_iter().any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        ensure!(has_line, "{}: no line is named: {reason}", o["id"]);
        // What is between marks is the source.
        let own: String = reason.split('`').step_by(2).collect();
        ensure!(reason.matches('`').count() >= 2, "{}: no condition is quoted: {reason}", o["id"]);
        let has_value = [" == ", " != ", " < ", " > ", " <= ", " >= ", " = ", "what holds of "];
        ensure!(has_value.iter().any(|word| own.contains(word)), "{}: no value is told: {reason}", o["id"]);
    }
    Ok(())
}
