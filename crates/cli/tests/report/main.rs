//! What users do with the results of `covenant gen`: suites in their framework, exports to their tools.
//!
//! - `suite::FRAMEWORK::SUBJECT`: the suite compiles without a warning and passes.
//! - `suite::cmake`: a project takes the suite in with `add_subdirectory`, and ctest runs it.
//! - `suite::regression`: a suite fails when the code changes what it does.
//! - `breaks::FUNCTION`: so it does when somebody breaks the example, and names the field and both values.
//! - `export::FORMAT`: the tool of its kind reads the export.
//! - `moved::NAME`, `changed::NAME`: results in a project that moves, and beside code that changes.
//! - `suite::outside`: a suite fails when the code prints, calls or sets errno otherwise.
//! - `suite::heap::FRAMEWORK`, `suite::rows::FRAMEWORK`: so it does when the code forgets a `free`, or where tests are rows of a table.
//! - `expectations::NAME`: what people expect of the code.
//! - `counted::NAME`: what a suite that is there covers.
//! - `test_comp::NAME`: see [`test_comp`].
//! - `killed::goes_on`: see [`killed`].
//! - `large::NAME`: see [`large`].
//! - `queue::NAME`: see [`queue`].
//! - `board::NAME`: see [`board`].
//! - `meaning::NAME`: see [`meaning`].
//! - `programs::NAME`: see [`programs`].
//! - `project::NAME`: all functions of a project, its covenant.toml, and suites that live on.
//! - `whole::NAME`: the same as one: totals, time, partitions, exports, and what the terminal says.
//!
//! A tool that is not there skips its tests, with a message.

mod board;
mod breaks;
mod counted;
mod expectations;
mod exports;
mod killed;
mod large;
mod meaning;
mod moved;
#[path = "../gen/notes.rs"]
#[allow(dead_code)]
mod notes;
#[path = "../run/process.rs"]
mod process;
mod programs;
mod projects;
mod queue;
mod suites;
mod test_comp;
mod whole;

use anyhow::{Context, Result, ensure};
use libtest_mimic::{Arguments, Failed, Trial};
use process::Finished;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(180);

fn main() -> Result<ExitCode> {
    let mut args = Arguments::from_args();
    // Some wait: for a server, for a process that is killed in the middle of its work.
    args.test_threads = args.test_threads.or_else(|| Some(3 * std::thread::available_parallelism().ok()?.get() / 2));
    let mut trials = Vec::new();
    suites::add(&mut trials);
    exports::add(&mut trials);
    projects::add(&mut trials);
    large::add(&mut trials);
    programs::add(&mut trials);
    moved::add(&mut trials);
    expectations::add(&mut trials);
    counted::add(&mut trials);
    breaks::add(&mut trials);
    whole::add(&mut trials);
    test_comp::add(&mut trials);
    killed::add(&mut trials);
    queue::add(&mut trials);
    board::add(&mut trials);
    meaning::add(&mut trials);
    Ok(libtest_mimic::run(&args, trials).exit_code())
}

/// A test that needs a tool, or one that says why it does nothing.
fn trial(name: String, tools: &'static [&'static str], test: impl FnOnce() -> Result<()> + Send + 'static) -> Trial {
    Trial::test(name.clone(), move || {
        if let Some(missing) = tools.iter().find(|tool| !is_there(tool)) {
            eprintln!("{name}: skipped, no {missing} here; scripts/setup.sh --tests installs it");
            return Ok(());
        }
        test().map_err(|error: anyhow::Error| Failed::from(format!("{error:#}")))
    })
}

/// A program in PATH or beside covenant, a C library that pkg-config knows (`lib:`), or a module of Python (`py:`).
fn is_there(tool: &str) -> bool {
    if Path::new(env!("CARGO_BIN_EXE_covenant")).with_file_name(tool).is_file() {
        return true;
    }
    let quiet = |command: &mut Command| {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
    };
    match tool.split_once(':') {
        Some(("lib", library)) => quiet(Command::new("pkg-config").args(["--exists", library])),
        Some((_, module)) => quiet(Command::new("python3").args(["-c", &format!("import {module}")])),
        None => quiet(Command::new(tool).arg("--version")),
    }
}

fn here(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/report").join(name)
}

fn subject(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/gen").join(name)
}

fn covenant(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_covenant"));
    command.current_dir(home);
    command
}

/// Runs a program that must succeed, and returns what it printed.
fn done(command: Command) -> Result<Finished> {
    let what = format!("{command:?}");
    let done = process::run(command, &[], LIMIT)?;
    let output = || {
        let stdout = String::from_utf8_lossy(&done.stdout).into_owned();
        format!("{what}: status {:?}\n{}\n{}", done.status, process::tail(&stdout, 15), process::tail(&done.stderr, 25))
    };
    ensure!(done.status == Some(0), "{}", output());
    Ok(done)
}

/// `covenant gen`, which may find something to look at.
fn generate(home: &Path, file: &Path, function: &str, more: &[&str]) -> Result<()> {
    let mut command = covenant(home);
    command.arg("gen").arg(file).args(["-f", function, "-o", "out", "--quiet", "--timeout", "60s"]).args(more);
    let done = process::run(command, &[], LIMIT).context("covenant gen")?;
    ensure!(
        matches!(done.status, Some(0 | 1)),
        "covenant gen: status {:?}\n{}",
        done.status,
        process::tail(&done.stderr, 15)
    );
    Ok(())
}
