//! The work of `gen --all`: each function in a process of its own, as many at a time as there are cores.
//!
//! Ctrl-C, and whoever else asks the process to end, ends the searches that run; what they found is written, and what was not
//! begun stays as it was. The processes have groups of their own, so that a terminal interrupts this one alone, which tells
//! them.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use covenant_report::files::{self, KEY};

use super::catalogue::Catalogue;
use super::{Job, said};
use covenant_goals::Status;

use crate::args::GenArgs;

/// What became of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// The results that were there are still right.
    Same,
    /// It was analysed, with this exit code.
    Code(u8),
    /// Its process was killed.
    Lost,
    Interrupted,
}

/// What Ctrl-C acts on.
#[derive(Default)]
struct Running {
    interrupts: AtomicUsize,
    processes: Mutex<BTreeSet<u32>>,
}

impl Running {
    fn stopped(&self) -> bool {
        self.interrupts.load(Ordering::Relaxed) > 0
    }

    /// The first time, searches end and write what they have; the second time, everything ends at once.
    fn interrupt(&self) {
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
}

/// Runs the jobs; what became of each.
pub(super) fn work(args: &GenArgs, catalogue: &Catalogue, jobs: &[Job<'_>], own: &[String]) -> Result<Vec<End>> {
    let program = std::env::current_exe().context("covenant does not find itself")?;
    let running = Arc::new(Running::default());
    let handler = Arc::clone(&running);
    // Without a handler Ctrl-C ends this process at once, and the next run goes on from what is there.
    let _ = ctrlc::set_handler(move || handler.interrupt());
    let next = AtomicUsize::new(0);
    let ends = Mutex::new(vec![End::Interrupted; jobs.len()]);
    let done = AtomicUsize::new(0);
    let shows = !args.no_progress && !args.quiet && std::io::stderr().is_terminal();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // What needs no work is said at once, not between functions that take long.
    let kept: Vec<bool> = jobs.iter().map(|job| kept(args, catalogue, job)).collect();
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.unwrap_or(cores).max(1).min(jobs.len()) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(index) else { break };
                    let end = match kept[index] {
                        true => End::Same,
                        false if running.stopped() => End::Interrupted,
                        false => one(args, job, own, &program, &running),
                    };
                    let count = done.fetch_add(1, Ordering::Relaxed) + 1;
                    // One at a time, so that lines of several threads do not mix.
                    if let Ok(mut ends) = ends.lock() {
                        ends[index] = end;
                        let begun = end != End::Interrupted || job.dir.join("report.json").is_file();
                        if !args.quiet && begun {
                            clear(shows);
                            said(job, end);
                        }
                        progress(shows, count, jobs.len());
                    }
                }
            });
        }
    });
    clear(shows);
    Ok(ends.into_inner().unwrap_or_default())
}

fn clear(shows: bool) {
    if shows {
        eprint!("\r\x1b[K");
    }
}

fn progress(shows: bool, done: usize, all: usize) {
    if shows {
        eprint!("\r\x1b[K{done} of {all} functions");
        let _ = std::io::stderr().flush();
    }
}

/// Whether the results that are there are still right. Other functions of their files may have changed; the digests then do
/// too.
fn kept(args: &GenArgs, catalogue: &Catalogue, job: &Job<'_>) -> bool {
    if args.project_wide.fresh {
        return false;
    }
    let is_same = |dir: &Path| std::fs::read_to_string(dir.join(KEY)).is_ok_and(|key| key == job.key);
    if is_same(&job.dir) {
        return refresh(catalogue, job).is_some();
    }
    match earlier(args, job).filter(|dir| is_same(dir)) {
        Some(dir) => take_over(&dir, job).is_some() && refresh(catalogue, job).is_some(),
        None => false,
    }
}

/// The results of an earlier run elsewhere.
fn earlier(args: &GenArgs, job: &Job<'_>) -> Option<PathBuf> {
    args.project_wide.since.as_ref().map(|since| since.join(&job.entry.folder))
}

fn refresh(catalogue: &Catalogue, job: &Job<'_>) -> Option<()> {
    files::read_report(&job.dir).ok()?;
    let before = files::read_subject(&job.dir).ok()?;
    let mut subject = before.clone();
    for (path, content) in catalogue.contents(&job.files) {
        for file in subject.files.iter_mut().filter(|file| file.absolute() == path) {
            file.content = content.clone();
        }
    }
    if subject != before {
        files::write_subject(&job.dir, &subject).ok()?;
        covenant_report::write_html(&job.dir).ok()?;
    }
    Some(())
}

/// Results of the same code and options in another directory become those of this one.
fn take_over(from: &Path, job: &Job<'_>) -> Option<()> {
    let report = files::read_report(from).ok()?;
    let subject = files::read_subject(from).ok()?;
    let tests = files::read_tests(from, &report).ok()?;
    let proofs = report.objectives.iter().filter_map(|o| o.proof.as_deref());
    for name in proofs.chain(["coverage.json"]) {
        match std::fs::read(from.join(name)) {
            Ok(content) => files::write_file(&job.dir.join(name), &content).ok()?,
            Err(_) if name == "coverage.json" => {}
            Err(_) => return None,
        }
    }
    files::write_tests(&job.dir, &tests).ok()?;
    let formats = covenant_report::suite::written(from);
    let oracle = !subject.command.iter().any(|word| word == "--no-oracle");
    covenant_report::write_suites(&job.dir, &subject, &tests, &report.objectives, &formats, oracle).ok()?;
    files::write_report(&job.dir, &report).ok()?;
    covenant_report::write_html(&job.dir).ok()?;
    files::write_file(&job.dir.join(KEY), job.key.as_bytes()).ok()
}

fn one(args: &GenArgs, job: &Job<'_>, own: &[String], program: &Path, running: &Running) -> End {
    // Results of other code must not look like those of this one.
    let _ = std::fs::remove_file(job.dir.join(KEY));
    let mut command = Command::new(program);
    let (options, flags) = match own.iter().position(|word| word == "--") {
        Some(at) => own.split_at(at),
        None => (own, &[][..]),
    };
    command.arg("gen").args(options).args(&job.files);
    let since = earlier(args, job).filter(|dir| files::read_report(dir).is_ok());
    if let Some(dir) = since {
        command.arg("--since").arg(dir);
    } else if args.project_wide.keep && files::read_report(&job.dir).is_ok() {
        command.arg("--existing").arg(&job.dir);
    }
    command.args(["-f", &job.entry.name, "--jobs", "1", "--quiet", "--no-progress", "-o"]).arg(&job.dir).args(flags);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
    let Ok(child) = command.spawn() else { return End::Lost };
    let process = child.id();
    running.list(process, true);
    let output = child.wait_with_output();
    running.list(process, false);
    let Ok(output) = output else { return End::Lost };
    let code = output.status.code().and_then(|code| u8::try_from(code).ok());
    let interrupted = files::read_report(&job.dir).is_ok_and(|report| report.status == Status::Interrupted);
    match code {
        Some(0 | 1) if interrupted => End::Interrupted,
        Some(code @ (0 | 1)) => {
            let _ = files::write_file(&job.dir.join(KEY), job.key.as_bytes());
            let _ = std::fs::remove_file(job.dir.join("error.txt"));
            End::Code(code)
        }
        _ if running.stopped() => End::Interrupted,
        _ => {
            let _ = files::write_file(&job.dir.join("error.txt"), &output.stderr);
            code.map_or(End::Lost, End::Code)
        }
    }
}
