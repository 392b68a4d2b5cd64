//! Processes of this program, and what ends them: Ctrl-C, and time.
//!
//! Ctrl-C, and whatever else asks the process to end, ends the searches that run; what they found
//! is written, and what was not begun stays as it was. The processes have groups of their own, so
//! that a terminal interrupts this one alone, which tells them.

use std::collections::BTreeSet;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use covenant_program::clang;

/// Names the folder in which the processes of a run keep what clang made, to those that it starts.
const KEPT: &str = "COVENANT_FRONT_END";

/// Goes on with what clang made for the process that started this one.
pub(crate) fn take_up() {
    if let Some(folder) = std::env::var_os(KEPT) {
        clang::keep_in(Path::new(&folder));
    }
}

/// What Ctrl-C acts on.
#[derive(Default)]
pub(super) struct Running {
    interrupts: AtomicUsize,
    processes: Mutex<BTreeSet<u32>>,
}

/// What ends a process before it does so by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Until {
    /// An interrupt, and this time.
    Time(Instant),
    Interrupted,
    /// Nothing but the end of everything.
    Done,
}

/// How a process ended.
pub(super) enum Ended {
    /// With this exit code (none if it was killed), having said this.
    Code(Option<u8>, Vec<u8>),
    /// It did not end when its time was over.
    Overdue,
    /// It could not be started.
    Lost,
}

impl Running {
    pub(super) fn stopped(&self) -> bool {
        self.interrupts.load(Ordering::Relaxed) > 0
    }

    /// The first time, searches end and write what they have; the second time, everything ends at
    /// once.
    pub(super) fn interrupt(&self) {
        let times = self.interrupts.fetch_add(1, Ordering::Relaxed);
        let processes = self.processes.lock().map(|set| set.clone()).unwrap_or_default();
        for process in processes {
            let _ = Command::new("sh").args(["-c", &format!("kill -INT {process}")]).status();
        }
        if times > 0 {
            std::process::exit(130);
        }
    }

    fn list(&self, process: u32, runs: bool) {
        if let Ok(mut processes) = self.processes.lock() {
            if runs {
                processes.insert(process)
            } else {
                processes.remove(&process)
            };
        }
    }

    /// Runs the program with these words until it ends.
    pub(super) fn run(&self, program: &Path, words: &[String], until: Until) -> Ended {
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
        if let Some(folder) = clang::kept_in() {
            command.env(KEPT, folder);
        }
        let Ok(mut child) = command.spawn() else { return Ended::Lost };
        // As long as we hold it, the process knows that we are there.
        let tie = child.stdin.take();
        let (process, over, overdue) = (child.id(), AtomicBool::new(false), AtomicBool::new(false));
        self.list(process, until != Until::Done);
        let output = std::thread::scope(|scope| {
            let (over, overdue) = (&over, &overdue);
            let watch = scope.spawn(move || {
                let left = || match until {
                    Until::Time(until) => Some(until.saturating_duration_since(Instant::now())),
                    Until::Interrupted | Until::Done => None,
                };
                while !over.load(Ordering::Relaxed) {
                    match left() {
                        None => std::thread::park(),
                        Some(left) if left.is_zero() => break,
                        Some(left) => std::thread::park_timeout(left),
                    }
                }
                overdue.store(!over.load(Ordering::Relaxed), Ordering::Relaxed);
                drop(tie);
            });
            let output = child.wait_with_output();
            over.store(true, Ordering::Relaxed);
            watch.thread().unpark();
            output
        });
        self.list(process, false);
        match output {
            Ok(_) if overdue.load(Ordering::Relaxed) => Ended::Overdue,
            Ok(output) => Ended::Code(output.status.code().and_then(|code| u8::try_from(code).ok()), output.stderr),
            Err(_) => Ended::Lost,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_process_ends_when_its_time_is_over() {
        let running = Running::default();
        // As a process of ours does, it ends with its standard input.
        let words = |text: &str| vec!["-c".to_owned(), text.to_owned()];
        let started = Instant::now();
        let until = started + Duration::from_millis(50);
        assert!(matches!(running.run(Path::new("sh"), &words("cat"), Until::Time(until)), Ended::Overdue));
        assert!(started.elapsed() < Duration::from_secs(20));
        let ended = running.run(Path::new("sh"), &words("echo no >&2; exit 3"), Until::Done);
        assert!(matches!(ended, Ended::Code(Some(3), said) if said == b"no\n"));
        assert!(matches!(running.run(Path::new("/nowhere"), &[], Until::Interrupted), Ended::Lost));
    }
}
