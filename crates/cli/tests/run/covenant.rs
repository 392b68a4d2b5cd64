//! The binary under test.

use crate::native;
use crate::process::{self, Finished};
use crate::program::Program;
use anyhow::Result;
use std::process::Command;
use std::time::Duration;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_covenant");
const LIMIT: Duration = Duration::from_secs(120);

/// `covenant run` on a program, with its flags, arguments, input and environment, in an empty directory.
pub(crate) fn run(program: &Program, options: &[String]) -> Result<Finished> {
    let home = tempfile::tempdir()?;
    let mut command = Command::new(BINARY);
    command.arg("run").args(options);
    command.args(program.notes.flags.iter().map(|flag| format!("--cflag={flag}")));
    command.args(&program.files).arg("--").args(&program.notes.args).current_dir(home.path());
    native::set_environment(&mut command, program);
    process::run(command, &program.notes.stdin, LIMIT)
}

/// A panic is never an answer. The exit code alone does not tell: a program may well return 101.
pub(crate) fn panicked(done: &Finished) -> bool {
    done.stderr.contains("panicked at")
}
