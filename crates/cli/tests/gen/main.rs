//! The subjects of `tests/c/gen` as tests of `covenant gen`, one named test a subject.
//!
//! - `gen::NAME`: with replay, the exit code, the totals and every named branch are as the subject states, and
//!   the suite builds without a warning and passes with gcc and with clang.
//! - `same::NAME`: a second run gives the same report, times aside.
//! - `model::NAME`: `--dump-model` writes a picture for each step and a page that has them all.
//!
//! What a subject states was found by reasoning and by trying inputs natively, not by asking covenant.

mod notes;
#[path = "../run/process.rs"]
mod process;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Arguments, Failed, Trial};
use notes::{Notes, Totals};
use process::Finished;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(120);
const COMPILERS: &[&str] = &["gcc", "clang-19"];
/// Subjects whose second run is compared too: one for each kind of input.
const REPEATED: &[&str] = &["list", "next_date", "tokenizer", "triangle"];
/// The subject whose model is drawn.
const DRAWN: &str = "triangle";

fn main() -> Result<ExitCode> {
    let args = Arguments::from_args();
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/gen").canonicalize()?;
    let mut files = Vec::new();
    for entry in fs::read_dir(&directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "c") {
            files.push(path);
        }
    }
    files.sort();
    ensure!(!files.is_empty(), "no subjects in {}", directory.display());
    let mut trials = Vec::new();
    for file in files {
        let name = file.file_stem().and_then(|stem| stem.to_str()).context("a name that is no text")?.to_owned();
        let open = Notes::read(&file)?.open;
        if name == DRAWN {
            let file = file.clone();
            trials.push(Trial::test(format!("model::{name}"), move || draws_its_model(&file).map_err(failed)));
        }
        if REPEATED.contains(&name.as_str()) {
            let file = file.clone();
            trials.push(Trial::test(format!("same::{name}"), move || same_twice(&file).map_err(failed)));
        }
        trials.push(Trial::test(format!("gen::{name}"), move || check(&file).map_err(failed)).with_ignored_flag(open));
    }
    Ok(libtest_mimic::run(&args, trials).exit_code())
}

fn failed(error: anyhow::Error) -> Failed {
    format!("{error:#}").into()
}

fn check(file: &Path) -> Result<()> {
    let notes = Notes::read(file)?;
    let home = tempfile::tempdir()?;
    let done = generate(file, &notes, home.path(), &[])?;
    let report = report(&done)?;
    let totals = &report["totals"]["branch"];
    let number = |name: &str| totals[name].as_u64().with_context(|| format!("no total `{name}`"));
    let found = Totals { covered: number("covered")?, infeasible: number("infeasible")?, unknown: number("unknown")? };
    ensure!(found == notes.totals, "{found:?}, expected {:?}; open:\n{}", notes.totals, not_covered(&report));
    named_branches(&report, &notes)?;
    let needs_a_look = notes.totals.unknown > 0 || report["defects"].as_array().is_some_and(|all| !all.is_empty());
    ensure!(
        done.status == Some(i32::from(needs_a_look)),
        "exit code {:?}\n{}",
        done.status,
        process::tail(&done.stderr, 10)
    );
    COMPILERS.iter().try_for_each(|compiler| suite_passes(home.path(), compiler))
}

/// `covenant gen --json` with its results in `home/out`.
fn generate(file: &Path, notes: &Notes, home: &Path, more: &[&str]) -> Result<Finished> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_covenant"));
    command.arg("gen").arg(file).args(["-f", &notes.function]).args(&notes.options);
    command.args(["--timeout", "60s", "--json", "-o", "out"]).args(more).current_dir(home);
    process::run(command, &[], LIMIT)
}

fn report(done: &Finished) -> Result<Value> {
    let stderr = || format!("no report; status {:?}\n{}", done.status, process::tail(&done.stderr, 10));
    serde_json::from_slice(&done.stdout).with_context(stderr)
}

fn objectives(report: &Value) -> &[Value] {
    report["objectives"].as_array().map_or(&[], Vec::as_slice)
}

fn not_covered(report: &Value) -> String {
    let open = objectives(report).iter().filter(|objective| objective["verdict"] != "covered");
    open.map(|o| format!("  {} {} {}\n", o["id"], o["verdict"], o["reason"])).collect()
}

fn named_branches(report: &Value, notes: &Notes) -> Result<()> {
    for named in &notes.named {
        let objective = objectives(report)
            .iter()
            .find(|o| o["line"] == named.line && o["column"] == named.column && o["outcome"] == named.outcome.as_str())
            .with_context(|| format!("no objective {named:?}; not covered:\n{}", not_covered(report)))?;
        ensure!(objective["verdict"] == named.verdict.as_str(), "{named:?}, but it is {}", objective["verdict"]);
    }
    Ok(())
}

fn draws_its_model(file: &Path) -> Result<()> {
    let home = tempfile::tempdir()?;
    let done = generate(file, &Notes::read(file)?, home.path(), &["--no-replay", "--dump-model", "model"])?;
    report(&done)?;
    let read = |name: &str| fs::read_to_string(home.path().join("model").join(name)).with_context(|| name.to_owned());
    let page = read("index.html")?;
    ensure!(read("flow.txt")?.starts_with("loc0: "), "no flow");
    let mut steps = 0;
    while let Ok(dot) = read(&format!("{:04}.dot", steps + 1)) {
        ensure!(dot.starts_with("digraph model {") && dot.ends_with("}\n"), "no graph: {dot}");
        steps += 1;
    }
    ensure!(page.matches("\"caption\":").count() == steps, "{steps} pictures, but the page has others");
    ensure!(page.contains("a test crosses the frontier to "), "no test crosses a frontier");
    let last = read(&format!("{steps:04}.dot"))?;
    ensure!(!last.contains("peripheries=2"), "a target is left, though every branch is decided: {last}");
    Ok(())
}

/// The Makefile notices that the compiler is another.
fn suite_passes(home: &Path, compiler: &str) -> Result<()> {
    let mut make = Command::new("make");
    make.arg("check").arg(format!("CC={compiler}")).arg("CFLAGS=-O1 -Wall -Wextra -Werror");
    make.current_dir(home.join("out/suite/c"));
    let done = process::run(make, &[], LIMIT)?;
    let output =
        || format!("{}\n{}", process::tail(&String::from_utf8_lossy(&done.stdout), 5), process::tail(&done.stderr, 15));
    ensure!(done.status == Some(0), "make check with {compiler}: status {:?}\n{}", done.status, output());
    Ok(())
}

fn same_twice(file: &Path) -> Result<()> {
    let notes = Notes::read(file)?;
    let home = tempfile::tempdir()?;
    let mut reports = Vec::new();
    for _ in 0..2 {
        let mut report = report(&generate(file, &notes, home.path(), &["--no-replay"])?)?;
        without_times(&mut report);
        reports.push(report);
    }
    ensure!(reports[0] == reports[1], "two runs differ:\n{}\n{}", reports[0], reports[1]);
    Ok(())
}

/// Takes out what measures time or memory rather than the search.
fn without_times(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| !key.ends_with("ms") && !key.ends_with("rss_bytes"));
            map.values_mut().for_each(without_times);
        }
        Value::Array(all) => all.iter_mut().for_each(without_times),
        _ => {}
    }
}
