//! Code that is larger than what people write: what it takes in time and memory grows with its
//! length and no faster.

use super::{covenant, process, trial};
use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// What `--timeout` gives.
const TIME: Duration = Duration::from_secs(4);
/// What it takes to load the code, and to write what was found, where other tests run beside this
/// one.
const BESIDE: Duration = Duration::from_secs(20);

pub(crate) fn add(trials: &mut Vec<Trial>) {
    trials.push(trial("large::many_branches".into(), &[], many_branches));
    trials.push(trial("large::long_sum".into(), &[], long_sum));
    trials.push(trial("large::keys_of_many_functions".into(), &[], many_functions));
}

/// The report of a function of a file, within the time, and what was said.
fn generate(root: &Path, text: &str, function: &str) -> Result<(Value, String)> {
    fs::write(root.join("a.c"), text)?;
    let mut command = covenant(root);
    command.args(["gen", "a.c", "-f", function, "--no-replay", "-o", "out"]);
    command.args(["--timeout", &format!("{}s", TIME.as_secs())]);
    let started = Instant::now();
    let done = process::run(command, &[], super::LIMIT)?;
    ensure!(matches!(done.status, Some(0 | 1)), "{:?} {}", done.status, done.stderr);
    ensure!(started.elapsed() < TIME + BESIDE, "{:?}", started.elapsed());
    let report: Value = serde_json::from_slice(&fs::read(root.join("out/report.json"))?)?;
    let memory = report["stats"]["peak_rss_bytes"].as_u64().context("no memory")?;
    ensure!(memory < 1 << 30, "{} MiB", memory >> 20);
    Ok((report, done.stderr))
}

/// Lines times branches would be 25 million.
fn many_branches() -> Result<()> {
    let mut text = "int many(int x)\n{\n    int s = 0;\n".to_owned();
    for number in 0..2500 {
        writeln!(text, "    if (x == {})\n        s += {number};", 7 * number + 3)?;
    }
    text.push_str("    return s;\n}\n");
    let home = tempfile::tempdir()?;
    let (report, _) = generate(home.path(), &text, "many")?;
    let totals = &report["totals"]["branch"];
    ensure!(totals["objectives"] == 5000, "{totals}");
    ensure!(totals["covered"].as_u64().is_some_and(|covered| covered >= 2500), "{totals}");
    Ok(())
}

/// As clang indents it, a term lies as many columns to the right as there are terms behind it.
fn long_sum() -> Result<()> {
    let mut text = "int sum(const int *a, int x)\n{\n    if (x < 3)\n        return 1;\n    return 0".to_owned();
    for number in 0..3500 {
        write!(text, "\n        + {}", if number % 2 == 0 { "x".to_owned() } else { format!("a[{}]", number % 16) })?;
    }
    text.push_str(";\n}\n");
    let home = tempfile::tempdir()?;
    let (report, said) = generate(home.path(), &text, "sum")?;
    ensure!(report["totals"]["branch"]["covered"] == 2, "{}", report["totals"]);
    ensure!(said.contains("clang's syntax tree of a.c is not used"), "{said}");
    Ok(())
}

/// Each may be called through a pointer, so each reaches all.
fn many_functions() -> Result<()> {
    let mut text = "static int (*chosen)(int);\nint choose(int x) { return chosen ? chosen(x) : 0; }\n".to_owned();
    for number in 0..800 {
        writeln!(text, "int f{number}(int x)\n{{\n    return x > {number} ? choose(x) : {number};\n}}")?;
    }
    let home = tempfile::tempdir()?;
    fs::write(home.path().join("a.c"), text)?;
    let mut command = covenant(home.path());
    command.args(["gen", "--all", "a.c", "--no-replay", "--timeout", "1ms"]);
    let started = Instant::now();
    let done = process::run(command, &[], super::LIMIT)?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    ensure!(done.status == Some(1) && said.contains("801 functions are not done"), "{said}{}", done.stderr);
    ensure!(started.elapsed() < BESIDE, "{:?}", started.elapsed());
    Ok(())
}
