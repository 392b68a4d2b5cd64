//! Running a process with input, a time limit and captured output.

use anyhow::{Context, Result};
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    /// The exit status as a shell sees it: 128 + N after signal N. `None` after a time-out.
    pub(crate) status: Option<i32>,
}

/// Runs `command` to its end, or kills it after `limit`.
pub(crate) fn run(mut command: Command, stdin: &[u8], limit: Duration) -> Result<Finished> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {:?}", command.get_program()))?;
    let mut input = child.stdin.take().context("no stdin")?;
    let mut output = child.stdout.take().context("no stdout")?;
    let mut errors = child.stderr.take().context("no stderr")?;
    let start = Instant::now();
    thread::scope(|scope| {
        // The program may end without reading its input: a broken pipe is no error here.
        scope.spawn(move || input.write_all(stdin).ok());
        let stdout = scope.spawn(move || drain(&mut output));
        let stderr = scope.spawn(move || drain(&mut errors));
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)));
            }
            if start.elapsed() > limit {
                child.kill()?;
                child.wait()?;
                break None;
            }
            thread::sleep(Duration::from_millis(2));
        };
        let stdout = stdout.join().unwrap_or_default();
        let stderr = String::from_utf8_lossy(&stderr.join().unwrap_or_default()).into_owned();
        Ok(Finished { stdout, stderr, status })
    })
}

fn drain(from: &mut impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What arrived before an error is still worth showing.
    let _ = from.read_to_end(&mut bytes);
    bytes
}

/// The last lines of a text, indented, for a failure message.
pub(crate) fn tail(text: &str, lines: usize) -> String {
    let all: Vec<_> = text.lines().collect();
    let from = all.len().saturating_sub(lines);
    all[from..].iter().map(|line| format!("      {line}\n")).collect()
}
