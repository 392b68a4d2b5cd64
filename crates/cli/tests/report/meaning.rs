//! Tests expect nothing of what C gives no meaning to, and all the rest.

use super::{generate, subject, trial};
use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use std::fs;

pub(crate) fn add(trials: &mut Vec<Trial>) {
    trials.push(trial("meaning::none".into(), &[], none));
    trials.push(trial("meaning::distance".into(), &[], distance));
    trials.push(trial("meaning::left_alone".into(), &[], left_alone));
    trials.push(trial("meaning::of_mutants".into(), &[], of_mutants));
}

/// The tests of `climb`, as their files say what they do.
fn tests(more: &[&str]) -> Result<Vec<serde_json::Value>> {
    tests_of("no_meaning.c", "climb", more)
}

fn tests_of(name: &str, function: &str, more: &[&str]) -> Result<Vec<serde_json::Value>> {
    let home = tempfile::tempdir()?;
    let file = home.path().join(name);
    fs::copy(subject(name), &file)?;
    generate(home.path(), &file, function, more)?;
    let mut tests = Vec::new();
    for entry in fs::read_dir(home.path().join("out/tests"))? {
        tests.push(serde_json::from_str(&fs::read_to_string(entry?.path())?)?);
    }
    Ok(tests)
}

/// Where the path leaves a choice, inputs are such that all fits.
fn none() -> Result<()> {
    let tests = tests(&[])?;
    let without = |test: &&serde_json::Value| test["observed"]["undefined"].is_string();
    let meaningless: Vec<_> = tests.iter().filter(without).collect();
    let [only] = meaningless.as_slice() else { anyhow::bail!("{} tests have no meaning", meaningless.len()) };
    ensure!(only["observed"]["returned"].is_null(), "nothing is expected of it: {only}");
    let words = only["observed"]["undefined"].as_str().context("words")?;
    ensure!(words == "2147483647 + 1 does not fit 32 bits (no_meaning.c:10)", "{words}");
    for test in tests.iter().filter(|test| !without(test)) {
        ensure!(!test["observed"]["returned"].is_null(), "what fits is expected: {test}");
    }
    Ok(())
}

/// The difference of two addresses in one object is the same everywhere, and so is a run in which only a label looks at more.
fn distance() -> Result<()> {
    for test in tests(&["-c", "branch,mutation"])? {
        ensure!(test["open"].is_null(), "{test}");
    }
    Ok(())
}

/// Of a run without a meaning nobody knows what it leaves alone, whatever a mutant changes.
fn left_alone() -> Result<()> {
    let tests = tests_of("shifted_out.c", "put", &["-c", "branch,mutation", "--pointers", "valid"])?;
    let without = |test: &&serde_json::Value| test["observed"]["undefined"].is_string();
    let meaningless: Vec<_> = tests.iter().filter(without).collect();
    ensure!(!meaningless.is_empty(), "some tests have no meaning: {tests:?}");
    for test in meaningless {
        let written = test["observed"]["written"].as_array().map_or(0, Vec::len);
        ensure!(written == 0, "nothing is expected of it: {test}");
    }
    Ok(())
}

/// What a mutant would do has no meaning of its own: tests expect what the code does.
fn of_mutants() -> Result<()> {
    for test in tests_of("high_digit.c", "high_digit", &["-c", "branch,mutation"])? {
        ensure!(test["observed"]["undefined"].is_null() && !test["observed"]["returned"].is_null(), "{test}");
    }
    Ok(())
}
