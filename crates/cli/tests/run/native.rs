//! What clang and the machine make of a program: the oracle of these tests.
//!
//! Results are kept in `target/tmp/native`, keyed by everything they depend on.

use crate::process::{self, Finished};
use crate::program::{Program, machine};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

const RUN_LIMIT: Duration = Duration::from_secs(30);
const COMPILE_LIMIT: Duration = Duration::from_secs(120);

/// Which faults of a program its sanitizer build would show.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sanitizer {
    /// Addresses, lifetimes, leaks, arithmetic, shifts, bounds of arrays.
    Behaviour,
    /// Values that were never set.
    Initialisation,
}

/// What the native binary of a program did.
#[derive(Debug)]
pub(crate) struct Native {
    pub(crate) stdout: Vec<u8>,
    pub(crate) status: i32,
}

/// Builds and runs `program` with `clang -O0`, or recalls what it did.
pub(crate) fn outcome(program: &Program) -> Result<Native> {
    let done = build_and_run(program, &["-O0".into()])?;
    Ok(Native { stdout: done.stdout, status: done.status.context("the native program did not end in time")? })
}

/// Checks that a sanitizer build runs clean and prints the same.
pub(crate) fn sanitized(program: &Program, native: &Native, sanitizer: Sanitizer) -> Result<()> {
    // There are none to link with for other machines; that the program is defined is seen on this one.
    if machine().runs.is_some() {
        return Ok(());
    }
    let sanitizer = match sanitizer {
        Sanitizer::Behaviour => "-fsanitize=address,undefined",
        Sanitizer::Initialisation => "-fsanitize=memory",
    };
    let mut flags = vec!["-g".to_owned(), sanitizer.to_owned(), "-fno-sanitize-recover=all".to_owned()];
    flags.extend(program.notes.sanitize.iter().cloned());
    let done = build_and_run(program, &flags)?;
    if done.status != Some(native.status) || done.stdout != native.stdout {
        bail!("the program is not defined; the sanitizer build says\n{}", process::tail(&done.stderr, 15));
    }
    Ok(())
}

/// Builds `program` with one sanitizer and runs it; what it prints must name the line of the trap.
pub(crate) fn trap_report(program: &Program, sanitizer: &str) -> Result<Finished> {
    let flags = ["-g".into(), "-O0".into(), format!("-fsanitize={sanitizer}"), "-fno-sanitize-recover=all".into()];
    build_and_run(program, &flags)
}

/// Builds without any sanitizer and runs until the signal.
pub(crate) fn plain(program: &Program) -> Result<Finished> {
    build_and_run(program, &["-O0".into()])
}

fn build_and_run(program: &Program, flags: &[String]) -> Result<Finished> {
    let entry = cache_entry(program, flags);
    if let Some(known) = recall(&entry) {
        return Ok(known);
    }
    let scratch = tempfile::tempdir()?;
    let binary = scratch.path().join("program");
    let mut clang = Command::new("clang-19");
    clang.arg("-w").args(flags).args(&program.notes.flags).args(&program.files);
    clang.arg("-o").arg(&binary).arg("-lm").args(&program.notes.libs);
    let machine = machine();
    clang.args(machine.runs.map(|_| "-static"));
    // What 32-bit MIPS has no instruction for.
    clang.args(machine.is_mips().then_some("-latomic"));
    let built = process::run(clang, &[], COMPILE_LIMIT)?;
    if built.status != Some(0) {
        bail!("clang-19 cannot build the program natively\n{}", process::tail(&built.stderr, 15));
    }
    let home = scratch.path().join("home");
    fs::create_dir(&home)?;
    let mut command = match machine.runs {
        Some(emulator) => {
            let mut command = Command::new(emulator);
            command.arg(&binary);
            command
        }
        None => Command::new(&binary),
    };
    command.args(&program.notes.args).current_dir(&home);
    set_environment(&mut command, program);
    command.env("ASAN_OPTIONS", "detect_stack_use_after_return=1");
    let done = process::run(command, &program.notes.stdin, RUN_LIMIT)?;
    remember(&entry, &done)?;
    Ok(done)
}

/// The same small environment for the native binary and for covenant.
pub(crate) fn set_environment(command: &mut Command, program: &Program) {
    command.env_clear();
    for name in ["PATH", "HOME", "TMPDIR"] {
        command.envs(std::env::var_os(name).map(|value| (OsString::from(name), value)));
    }
    command.envs(program.notes.env.iter().map(|(name, value)| (name, value)));
}

fn cache_entry(program: &Program, flags: &[String]) -> PathBuf {
    static CLANG: OnceLock<Vec<u8>> = OnceLock::new();
    let version = CLANG
        .get_or_init(|| Command::new("clang-19").arg("--version").output().map(|done| done.stdout).unwrap_or_default());
    let mut key = DefaultHasher::new();
    (program.content, &program.name, flags, version).hash(&mut key);
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("native").join(format!("{}-{:016x}", program.name, key.finish()))
}

fn recall(entry: &Path) -> Option<Finished> {
    let status = fs::read_to_string(entry.join("status")).ok()?.parse().ok()?;
    let stdout = fs::read(entry.join("stdout")).ok()?;
    let stderr = fs::read_to_string(entry.join("stderr")).ok()?;
    Some(Finished { stdout, stderr, status: Some(status) })
}

/// A time-out is not kept. An entry is written under another name, so that half of one is never read, nor one of two tests that both
/// run the program.
fn remember(entry: &Path, done: &Finished) -> Result<()> {
    let Some(status) = done.status else { return Ok(()) };
    let folder = entry.parent().context("a cache has a folder")?;
    fs::create_dir_all(folder)?;
    let made = tempfile::tempdir_in(folder)?;
    fs::write(made.path().join("stdout"), &done.stdout)?;
    fs::write(made.path().join("stderr"), &done.stderr)?;
    fs::write(made.path().join("status"), status.to_string())?;
    // Whoever was first has the same.
    if fs::rename(made.path(), entry).is_ok() {
        let _ = made.keep();
    }
    Ok(())
}
