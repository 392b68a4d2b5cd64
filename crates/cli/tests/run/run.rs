//! Programs that must behave as their native binaries.

use crate::native::Sanitizer;
use crate::process::{self, Finished};
use crate::program::{self, Program};
use crate::{covenant, native};
use anyhow::{Result, bail};
use libtest_mimic::{Failed, Trial};
use std::fmt::Write;
use std::path::Path;

/// Checks that must stay silent because the address and undefined behaviour sanitizers do.
const BEHAVIOUR: &str = "signed-overflow,shift,array-bounds";
/// The check that must stay silent because the memory sanitizer does.
const INITIALISATION: &str = "uninitialised";

pub(crate) fn trials(directory: &Path) -> Result<Vec<Trial>> {
    let mut trials = Vec::new();
    for program in program::load_all(directory)?.into_iter().filter(Program::is_meant) {
        trials.push(trial("run", &program, None, Sanitizer::Behaviour));
        let allowed = program.notes.check.as_deref();
        trials.push(trial("checked", &program, Some(allowed.unwrap_or(BEHAVIOUR)), Sanitizer::Behaviour));
        if allowed.is_none() {
            trials.push(trial("initialised", &program, Some(INITIALISATION), Sanitizer::Initialisation));
        }
    }
    Ok(trials)
}

fn trial(group: &str, program: &Program, checks: Option<&str>, sanitizer: Sanitizer) -> Trial {
    let (name, program) = (format!("{group}::{}", program.name), program.clone());
    let options: Vec<_> = checks.map(|list| format!("--check={list}")).into_iter().collect();
    Trial::test(name, move || compare(&program, &options, sanitizer).map_err(failed))
}

pub(crate) fn failed(error: anyhow::Error) -> Failed {
    Failed::from(format!("{error:#}"))
}

fn compare(program: &Program, options: &[String], sanitizer: Sanitizer) -> Result<()> {
    let native = native::outcome(program)?;
    native::sanitized(program, &native, sanitizer)?;
    let mut all = options.to_vec();
    all.extend(program.notes.limit.iter().cloned());
    let ours = covenant::run(program, &all)?;
    if covenant::panicked(&ours) {
        bail!("covenant panicked\n{}", process::tail(&ours.stderr, 10));
    }
    if ours.status != Some(native.status) || ours.stdout != native.stdout {
        bail!("{}", difference(&native, &ours));
    }
    Ok(())
}

fn difference(native: &native::Native, ours: &Finished) -> String {
    let mut text = String::new();
    let status = ours.status.map_or("time-out".to_owned(), |status| status.to_string());
    if status != native.status.to_string() {
        let _ = writeln!(text, "exit status {status}, natively {}", native.status);
    }
    let (a, b) = (String::from_utf8_lossy(&native.stdout), String::from_utf8_lossy(&ours.stdout));
    if a != b {
        let (mut a, mut b) = (a.lines(), b.lines());
        let mut line = 1;
        let (a, b) = loop {
            match (a.next(), b.next()) {
                (x, y) if x == y && x.is_some() => line += 1,
                differs => break differs,
            }
        };
        let _ = writeln!(text, "output differs at line {line}:");
        let _ = writeln!(text, "      natively {}", a.unwrap_or("<end of output>"));
        let _ = writeln!(text, "      covenant {}", b.unwrap_or("<end of output>"));
    }
    if !ours.stderr.is_empty() {
        let _ = write!(text, "stderr of covenant:\n{}", process::tail(&ours.stderr, 8));
    }
    text
}
