//! The C programs of `tests/c` as tests of `covenant run`, one named test a program.
//!
//! - `run::NAME`: output and exit status are those of the native binary, and a sanitizer build runs clean, so that
//!   the program is defined and the comparison means something.
//! - `checked::NAME`: the same program with the optional checks on. As the sanitizer found nothing, no check may fire.
//! - `initialised::NAME`: the same with the check for uninitialised values, against the memory sanitizer.
//! - `trap::NAME`: the program ends with the trap, at the line and with the exit code that its `expect` line says.
//! - `bad::NAME`: unusable input gives a clear message and the documented exit code.
//!
//! Each program carries its annotations (see `annotations`). What clang builds and what the native programs print is
//! kept under `target/tmp`, keyed by content, so only what changed is built again.

mod annotations;
mod bad;
mod covenant;
mod kinds;
mod native;
mod process;
mod program;
mod run;
mod trap;

use libtest_mimic::Arguments;
use std::path::PathBuf;
use std::process::ExitCode;

/// The directory that holds `run`, `trap` and `bad`.
fn c_tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/c")
}

fn main() -> anyhow::Result<ExitCode> {
    let args = Arguments::from_args();
    let root = c_tests().canonicalize()?;
    let mut trials = run::trials(&root.join("run"))?;
    trials.extend(trap::trials(&root.join("trap"))?);
    trials.extend(bad::trials(&root.join("bad")));
    Ok(libtest_mimic::run(&args, trials).exit_code())
}
