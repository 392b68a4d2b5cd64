//! Programs that must end with a trap at a line.

use crate::annotations::Expect;
use crate::kinds::EXIT_CODES;
use crate::process::{self, Finished};
use crate::program::{self, Program};
use crate::run::failed;
use crate::{covenant, native};
use anyhow::{Context, Result, bail};
use libtest_mimic::Trial;
use std::path::Path;

pub(crate) fn trials(directory: &Path) -> Result<Vec<Trial>> {
    let programs = program::load_all(directory)?;
    let trial =
        |program: Program| Trial::test(format!("trap::{}", program.name), move || check(&program).map_err(failed));
    Ok(programs.into_iter().map(trial).collect())
}

fn check(program: &Program) -> Result<()> {
    let expect = program.notes.expect.as_ref().context("the program has no `// expect: trap KIND LINE`")?;
    confirm_natively(program, expect)?;
    let mut options: Vec<_> = program.notes.check.iter().map(|list| format!("--check={list}")).collect();
    options.extend(program.notes.limit.iter().cloned());
    let ours = covenant::run(program, &options)?;
    let (line, kind) = match reported(program, &ours) {
        Some(found) if !covenant::panicked(&ours) => found,
        _ => bail!("no trap; status {:?}, stderr:\n{}", ours.status, process::tail(&ours.stderr, 10)),
    };
    if line != expect.line || !expect.kinds.contains(&kind) {
        let kinds = expect.kinds.join("|");
        let stderr = process::tail(&ours.stderr, 10);
        bail!("{kind} at line {line}, expected {kinds} at line {}\n{stderr}", expect.line);
    }
    let code = exit_code(&kind)?;
    if ours.status != Some(code) {
        bail!("exit status {:?} after {kind}, documented is {code}", ours.status);
    }
    Ok(())
}

fn exit_code(kind: &str) -> Result<i32> {
    let row = EXIT_CODES.iter().find(|(_, kinds)| kinds.contains(&kind));
    Ok(row.with_context(|| format!("`{kind}` is no documented kind of trap"))?.0)
}

/// The line and the kind of the trap on stderr: `FILE:LINE:COL: error: MESSAGE [KIND]`.
fn reported(program: &Program, ours: &Finished) -> Option<(usize, String)> {
    let file = program.files.first()?.file_name()?.to_str()?;
    let trap = ours.stderr.lines().find(|line| line.contains(": error: ") && line.ends_with(']'))?;
    let (place, message) = trap.split_once(": error: ")?;
    let (_, position) = place.rsplit_once(&format!("{file}:"))?;
    let line = position.split(':').next()?.parse().ok()?;
    let (_, kind) = message.strip_suffix(']')?.rsplit_once('[')?;
    Some((line, kind.to_owned()))
}

/// Where a sanitizer or a signal can show the trap, it must: at our line, or with our exit code.
fn confirm_natively(program: &Program, expect: &Expect) -> Result<()> {
    match program.notes.native.as_deref() {
        None => Ok(()),
        Some("signal") => {
            let status = native::plain(program)?.status;
            let documented = exit_code(expect.kinds.first().context("no kind")?)?;
            if status != Some(documented) {
                bail!("natively the status is {status:?}, documented for this kind is {documented}");
            }
            Ok(())
        }
        Some(sanitizer) => {
            let done = native::trap_report(program, sanitizer)?;
            let place = format!("{}.c:{}", program.name, expect.line);
            let seen = done.stderr.lines().any(|line| {
                line.split_once(&place).is_some_and(|(_, rest)| !rest.starts_with(|c: char| c.is_ascii_digit()))
            });
            if !seen || done.status == Some(0) {
                bail!("the {sanitizer} sanitizer does not name {place}:\n{}", process::tail(&done.stderr, 20));
            }
            Ok(())
        }
    }
}
