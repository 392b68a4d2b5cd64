//! Programs that must behave as their native binaries.

use crate::process::{self, Finished};
use crate::program::{self, Program};
use crate::{covenant, native};
use anyhow::{Result, bail};
use libtest_mimic::{Failed, Trial};
use std::fmt::Write;
use std::path::Path;

/// Checks for which the sanitizer build is a proof that they must stay silent.
const CHECKS: &str = "--check=signed-overflow,shift,array-bounds";

pub(crate) fn trials(directory: &Path) -> Result<Vec<Trial>> {
    let mut trials = Vec::new();
    for program in program::load_all(directory)? {
        let checked = program.clone();
        trials.push(Trial::test(format!("run::{}", program.name), move || compare(&program, &[]).map_err(failed)));
        trials.push(Trial::test(format!("checked::{}", checked.name), move || {
            compare(&checked, &[CHECKS.to_owned()]).map_err(failed)
        }));
    }
    Ok(trials)
}

pub(crate) fn failed(error: anyhow::Error) -> Failed {
    Failed::from(format!("{error:#}"))
}

fn compare(program: &Program, options: &[String]) -> Result<()> {
    let native = native::outcome(program)?;
    native::sanitized(program, &native)?;
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
