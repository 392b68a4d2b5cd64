//! Running one test of the built suite.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use covenant_goals::TestCase;
use serde::Serialize;

use super::ReplayOptions;
use crate::Error;

/// How a test's process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The function under test returned; the status of the process.
    Returned(i32),
    Exited(i32),
    Signal(i32),
    /// A sanitizer ended it.
    Sanitizer,
    Timeout,
    /// The suite's runner itself did not end well.
    Unknown,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TestReplay {
    pub name: String,
    /// The outcome that the test claims.
    pub expected: String,
    pub end: End,
    /// The suite's own verdict: outcome and oracle.
    pub passed: bool,
    /// What the suite said about a failure.
    pub messages: Vec<String>,
    /// What the sanitizers said.
    pub sanitizer: Vec<String>,
}

impl TestReplay {
    /// The function under test returned, as it was recorded, and nothing undefined came before.
    pub(super) fn is_calm(&self) -> bool {
        self.passed && self.expected != "trapped" && matches!(self.end, End::Returned(_))
    }
}

/// Traps that UBSan reports and then goes on from, unless told otherwise.
const ARITHMETIC: &[&str] = &["signed-overflow", "bad-shift", "array-index", "unreachable"];
/// So much of what a test prints is kept.
const KEPT: u64 = 1 << 20;
/// The runner has its own clock; this is for a runner that hangs.
const GRACE: Duration = Duration::from_secs(10);

/// `profile` is the pattern of the profile's name, as LLVM's runtime takes it.
pub(super) fn run(
    program: &Path,
    test: &TestCase,
    profile: &str,
    scratch: &Path,
    options: &ReplayOptions,
) -> Result<TestReplay, Error> {
    let here = tempfile::tempdir_in(scratch).map_err(Error::file(scratch))?;
    let memory = (options.memory >> 20).max(1);
    let halt = test.trap.as_ref().is_some_and(|trap| ARITHMETIC.contains(&trap.kind.as_str()));
    let mut command = Command::new(program);
    // The environment is part of what a program reads; a run of Covenant has none.
    command.env_clear().current_dir(here.path()).arg(&test.name);
    command.env("LLVM_PROFILE_FILE", profile);
    command.env("COVENANT_TIMEOUT", options.timeout.as_millis().max(1).to_string());
    command.env("COVENANT_MEMORY", memory.to_string());
    command.env(
        "ASAN_OPTIONS",
        format!("detect_leaks=0:allocator_may_return_null=1:symbolize=0:hard_rss_limit_mb={memory}"),
    );
    command.env("UBSAN_OPTIONS", format!("symbolize=0:halt_on_error={}", u8::from(halt)));
    let failed = |source| Error::Program { program: program.to_path_buf(), source };
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed)?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let deadline = Instant::now() + options.timeout + GRACE;
    let (stdout, stderr) = std::thread::scope(|scope| {
        let stdout = scope.spawn(|| read_start(stdout));
        let stderr = scope.spawn(|| read_start(stderr));
        while Instant::now() < deadline && matches!(child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(2));
        }
        // Without effect on a process that has ended; the test's own process dies with its parent.
        let _ = child.kill();
        let _ = child.wait();
        (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default())
    });
    Ok(judge(test, &stdout, &stderr))
}

/// The start of a stream, all of which is read so that nobody waits for us.
fn read_start(stream: Option<impl Read>) -> String {
    let Some(mut stream) = stream else { return String::new() };
    let mut kept = Vec::new();
    let _ = stream.by_ref().take(KEPT).read_to_end(&mut kept);
    let _ = std::io::copy(&mut stream, &mut std::io::sink());
    String::from_utf8_lossy(&kept).into_owned()
}

fn judge(test: &TestCase, stdout: &str, stderr: &str) -> TestReplay {
    let end = stdout.lines().find_map(|line| line.strip_prefix("# end: ")).map_or(End::Unknown, end);
    let passed = stdout.lines().any(|line| line.starts_with("ok "));
    let mut messages: Vec<String> =
        stdout.lines().filter_map(|line| line.strip_prefix("#   ")).map(str::to_owned).collect();
    if end == End::Unknown {
        messages.extend(stderr.lines().take(5).map(str::to_owned));
    }
    let report = |line: &&str| line.contains("runtime error: ") || line.contains("ERROR: AddressSanitizer");
    let sanitizer = stderr.lines().filter(report).take(10).map(tidy).collect();
    TestReplay { name: test.name.clone(), expected: test.outcome.clone(), end, passed, messages, sanitizer }
}

fn end(text: &str) -> End {
    let (word, number) = text.split_once(' ').unwrap_or((text, ""));
    let number = number.trim().parse().unwrap_or(0);
    match word {
        "returned" => End::Returned(number),
        "exited" => End::Exited(number),
        "signal" => End::Signal(number),
        "sanitizer" => End::Sanitizer,
        "timeout" => End::Timeout,
        _ => End::Unknown,
    }
}

/// Without process numbers and addresses, which differ from run to run.
fn tidy(line: &str) -> String {
    let line = line.trim_start_matches('=').trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('=');
    match line.strip_prefix("ERROR: AddressSanitizer: ") {
        Some(rest) => {
            let kind = rest.split(" on ").next().unwrap_or(rest).trim();
            format!("AddressSanitizer: {}", kind.split(" (pc").next().unwrap_or(kind))
        }
        None => line.to_owned(),
    }
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            End::Returned(_) => f.write_str("returned"),
            End::Exited(status) => write!(f, "exited with status {status}"),
            End::Signal(6) => f.write_str("aborted"),
            End::Signal(number) => write!(f, "died of signal {number}"),
            End::Sanitizer => f.write_str("was ended by a sanitizer"),
            End::Timeout => f.write_str("did not end in time"),
            End::Unknown => f.write_str("ended without a word"),
        }
    }
}
