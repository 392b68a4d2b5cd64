//! Running a process with a time limit and captured output.

use anyhow::{Context, Result};
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    /// As a shell sees it: 128 + N after signal N. `None` after a time-out.
    pub(crate) status: Option<i32>,
    pub(crate) wall: Duration,
}

/// Runs `command` without input, or kills it after `limit`. Output goes through files, so no pipe can fill up.
pub(crate) fn run(command: &mut Command, limit: Duration) -> Result<Finished> {
    let scratch = tempfile::tempdir()?;
    let (out, err) = (scratch.path().join("stdout"), scratch.path().join("stderr"));
    command.stdin(Stdio::null()).stdout(File::create(&out)?).stderr(File::create(&err)?);
    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    let mut pause = Duration::from_micros(200);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break None;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    };
    let wall = start.elapsed();
    let stderr = String::from_utf8_lossy(&std::fs::read(&err)?).into_owned();
    Ok(Finished { stdout: std::fs::read(&out)?, stderr, status, wall })
}
