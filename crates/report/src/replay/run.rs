//! What one run of a test came to.

use covenant_goals::{TestCase, TestOutcome};
use serde::Serialize;

use super::server::{Answer, Lost};

/// How a test's process ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The function under test returned; the status of the process.
    Returned(i32),
    /// With this status.
    Exited(i32),
    /// By this signal.
    Signal(i32),
    /// A sanitizer ended it.
    Sanitizer,
    /// It took longer than it may.
    Timeout,
    /// It took more memory than it may.
    Memory,
    /// It printed more than it may.
    Output,
    /// It wrote a larger file than it may.
    FileSize,
    /// It made a system call that the sandbox does not allow.
    Sandbox {
        /// The system call.
        call: String,
        /// The file that it was about, if it was about one.
        path: Option<String>,
    },
    /// The process that runs the tests could not tell, and why.
    Server(String),
}

/// What one test did natively.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TestReplay {
    /// The test.
    pub name: String,
    /// The outcome that the test claims.
    pub expected: TestOutcome,
    /// How its process ended.
    pub end: End,
    /// The suite's own verdict: outcome and oracle.
    pub passed: bool,
    /// What the suite said about a failure.
    pub messages: Vec<String>,
    /// What the sanitizers said.
    pub sanitizer: Vec<String>,
    /// Processes that it left behind; they were ended.
    #[serde(skip_serializing_if = "is_zero")]
    pub left: u32,
    /// It wrote so much to standard error that sanitizers may have said more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Traps that UBSan reports and then goes on from, unless told otherwise.
const ARITHMETIC: &[&str] = &["signed-overflow", "bad-shift", "array-index", "unreachable"];

/// Whether undefined arithmetic is to end the test.
pub(super) fn halts(test: &TestCase) -> bool {
    test.trap.as_ref().is_some_and(|trap| ARITHMETIC.contains(&trap.kind.as_str()))
}

impl TestReplay {
    /// The function under test returned, as it was recorded, and nothing undefined came before.
    pub(super) fn is_calm(&self) -> bool {
        self.passed && self.expected != TestOutcome::Trapped && matches!(self.end, End::Returned(_))
    }

    /// It was the sandbox or a limit of ours that ended it, so it says nothing about the claims. What C leaves undefined may
    /// do that too, and what takes for ever is expected to be ended.
    pub(super) fn is_inconclusive(&self) -> bool {
        let ours =
            matches!(self.end, End::Memory | End::Output | End::FileSize | End::Sandbox { .. }) || self.overlaps();
        ours && !matches!(self.expected, TestOutcome::Trapped | TestOutcome::StepLimit)
    }

    /// Memory that overlaps was handed to a function of the C library that must not get such: C leaves open what it does then,
    /// and runs do something.
    fn overlaps(&self) -> bool {
        self.end == End::Sanitizer && self.sanitizer.iter().any(|line| line.contains("-param-overlap"))
    }

    /// Why it says nothing.
    pub(super) fn why_inconclusive(&self) -> String {
        match self.overlaps() {
            true => "handed memory that overlaps to a function of the C library, which C leaves undefined".to_owned(),
            false => self.end.to_string(),
        }
    }

    pub(super) fn new(test: &TestCase, answer: &Answer) -> TestReplay {
        let said = |line: &str| line.strip_prefix("#   ").unwrap_or(line).to_owned();
        let report = |line: &&str| line.contains("runtime error: ") || line.contains("ERROR: AddressSanitizer");
        TestReplay {
            name: test.name.clone(),
            expected: test.outcome,
            end: answer.end.clone(),
            passed: answer.passed,
            messages: answer.messages.lines().map(said).collect(),
            sanitizer: answer.errors.lines().filter(report).take(10).map(tidy).collect(),
            left: answer.left,
            cut: answer.cut,
        }
    }

    /// The process that runs the tests ended in the middle of this one. What C does not define may do that.
    pub(super) fn lost(test: &TestCase, lost: &Lost) -> TestReplay {
        TestReplay {
            name: test.name.clone(),
            expected: test.outcome,
            end: End::Server(lost.why.clone()),
            passed: matches!(test.outcome, TestOutcome::Trapped | TestOutcome::StepLimit),
            messages: Vec::new(),
            sanitizer: Vec::new(),
            left: 0,
            cut: false,
        }
    }
}

/// Without process numbers and addresses, which differ from run to run.
pub(super) fn tidy(line: &str) -> String {
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
            End::Memory => f.write_str("was ended because it took too much memory"),
            End::Output => f.write_str("was ended because it printed too much"),
            End::FileSize => f.write_str("was ended because it wrote too large a file"),
            End::Sandbox { call, path } => {
                let call = if call.is_empty() { "a system call" } else { call };
                write!(f, "was ended by the sandbox, which does not allow {call}")?;
                path.as_ref().map_or(Ok(()), |path| write!(f, " of `{path}`"))
            }
            End::Server(why) => write!(f, "has no known end: the process that runs the tests {why}"),
        }
    }
}
