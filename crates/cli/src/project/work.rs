//! The work of `gen --all`: each function in a process of its own, as many at a time as there are cores.
//!
//! Ctrl-C, and whoever else asks the process to end, ends the searches that run; what they found is written, and what was not
//! begun stays as it was. The processes have groups of their own, so that a terminal interrupts this one alone, which tells
//! them.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use covenant_report::files::{self, KEY};

use super::bar::Bar;
use super::budget::Budget;
use super::catalogue::Catalogue;
use super::{Job, told};
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
    /// The time of all was over before it was begun.
    Late,
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

/// What the rounds are about.
struct Work<'a> {
    args: &'a GenArgs,
    jobs: &'a [Job<'a>],
    own: &'a [String],
    program: PathBuf,
    running: Arc<Running>,
    workers: usize,
    bar: Bar,
    /// What became of each job so far, and what it was offered last.
    ends: Mutex<Vec<(End, Duration)>>,
}

/// Runs the jobs; what became of each.
pub(super) fn work(
    args: &GenArgs,
    catalogue: &Catalogue,
    jobs: &mut [Job<'_>],
    own: &[String],
    started: Instant,
) -> Result<Vec<End>> {
    let program = std::env::current_exe().context("covenant does not find itself")?;
    let running = Arc::new(Running::default());
    let handler = Arc::clone(&running);
    // Without a handler Ctrl-C ends this process at once, and the next run goes on from what is there.
    let _ = ctrlc::set_handler(move || handler.interrupt());
    let kept: Vec<bool> = jobs.iter_mut().map(|job| kept(args, catalogue, job)).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = args.jobs.unwrap_or(cores).max(1);
    let shows = !args.no_progress && !args.quiet && std::io::stderr().is_terminal();
    let ends = kept.iter().map(|kept| (if *kept { End::Same } else { End::Late }, Duration::ZERO)).collect();
    let (bar, ends) = (Bar::new(shows, jobs.len()), Mutex::new(ends));
    let work = Work { args, jobs, own, program, running, workers, bar, ends };
    work.rounds(Budget::new(started, args.timeout, workers));
    work.bar.clear();
    let ends = work.ends.into_inner().unwrap_or_default();
    Ok(ends.into_iter().map(|(end, _)| end).collect())
}

impl Work<'_> {
    fn rounds(&self, mut budget: Budget) {
        for (index, job) in self.jobs.iter().enumerate().filter(|(index, _)| self.end(*index).0 == End::Same) {
            self.tell(job, self.end(index).0);
            self.bar.settle();
        }
        let mut open: Vec<usize> = (0..self.jobs.len()).filter(|&index| self.end(index).0 != End::Same).collect();
        // Callees come before their callers: these reach what those do, and more.
        open.sort_by_key(|&index| self.jobs[index].rank);
        while let Some(slice) = budget.round(open.len()).filter(|_| !self.running.stopped()) {
            let before: Vec<u32> = open.iter().map(|&index| decided(&self.jobs[index])).collect();
            self.round(&open, slice, &budget);
            let gained = |(&index, &before): (&usize, &u32)| (index, decided(&self.jobs[index]) > before);
            let mut next: Vec<(usize, bool)> = open.iter().zip(&before).map(gained).collect();
            next.retain(|(index, _)| self.wants_more(*index));
            // Who decided something goes on before who did not.
            next.sort_by_key(|(_, gained)| !gained);
            open = next.into_iter().map(|(index, _)| index).collect();
        }
    }

    fn round(&self, open: &[usize], slice: Duration, budget: &Budget) {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.workers.min(open.len()) {
                scope.spawn(|| {
                    while let Some(&index) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let job = &self.jobs[index];
                        let (end, before) = self.end(index);
                        if self.running.stopped() {
                            if end == End::Late {
                                self.set(index, (End::Interrupted, before));
                            }
                            continue;
                        }
                        let most = job.limit.map_or(slice, |limit| slice.min(limit));
                        let Some(offer) = budget.offer(most, before) else { continue };
                        self.bar.begin(&job.entry.name);
                        let end = one(self.args, job, self.own, offer, (&self.program, &self.running));
                        self.bar.end(&job.entry.name);
                        self.set(index, (end, offer.max(Duration::from_millis(1))));
                        self.tell(job, end);
                        if !self.wants_more(index) {
                            self.bar.settle();
                        }
                    }
                });
            }
        });
    }

    /// Whether more time may decide more.
    fn wants_more(&self, index: usize) -> bool {
        let (end, offered) = self.end(index);
        let job = &self.jobs[index];
        match end {
            End::Late => true,
            End::Code(1) if job.limit.is_some_and(|limit| offered >= limit) => false,
            End::Code(1) => files::read_report(&job.dir).is_ok_and(|report| report.status == Status::Timeout),
            _ => false,
        }
    }

    fn end(&self, index: usize) -> (End, Duration) {
        self.ends.lock().ok().and_then(|ends| ends.get(index).copied()).unwrap_or((End::Late, Duration::ZERO))
    }

    fn set(&self, index: usize, to: (End, Duration)) {
        if let Ok(mut ends) = self.ends.lock()
            && let Some(end) = ends.get_mut(index)
        {
            *end = to;
        }
    }

    fn tell(&self, job: &Job<'_>, end: End) {
        let begun = end != End::Interrupted || job.dir.join("report.json").is_file();
        if self.args.verbose && begun {
            self.bar.aside(|| told::one(job, end));
        }
    }
}

fn decided(job: &Job<'_>) -> u32 {
    files::read_report(&job.dir).map(|report| report.asked()).map_or(0, |totals| totals.covered + totals.infeasible)
}

/// Whether the results that are there are still right; if not, the job is told why. Other functions of their files may have
/// changed; the digests then do too.
fn kept(args: &GenArgs, catalogue: &Catalogue, job: &mut Job<'_>) -> bool {
    if args.project_wide.fresh {
        job.why = "--fresh".to_owned();
        return false;
    }
    let here = std::fs::read_to_string(job.dir.join(KEY)).ok();
    if here.as_ref().is_some_and(|key| job.is_answered(key, args.timeout)) {
        return refresh(catalogue, job).is_some();
    }
    let there = earlier(args, job);
    let there_key = there.as_ref().and_then(|dir| std::fs::read_to_string(dir.join(KEY)).ok());
    if let (Some(dir), true) = (there, there_key.as_ref().is_some_and(|key| job.is_answered(key, args.timeout))) {
        return take_over(&dir, &job.dir).is_some() && refresh(catalogue, job).is_some();
    }
    job.why = match there_key.or(here) {
        None => "it is new".to_owned(),
        Some(key) if key.starts_with(&job.key) => "there is more time".to_owned(),
        Some(key) => format!("{} changed", super::key::changes(&key, &job.key)),
    };
    false
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
pub(crate) fn take_over(from: &Path, to: &Path) -> Option<()> {
    let report = files::read_report(from).ok()?;
    let subject = files::read_subject(from).ok()?;
    let tests = files::read_tests(from, &report).ok()?;
    let proofs = report.objectives.iter().filter_map(|o| o.proof.as_deref());
    for name in proofs.chain(["coverage.json"]) {
        match std::fs::read(from.join(name)) {
            Ok(content) => files::write_file(&to.join(name), &content).ok()?,
            Err(_) if name == "coverage.json" => {}
            Err(_) => return None,
        }
    }
    files::write_tests(to, &tests).ok()?;
    let formats = covenant_report::suite::written(from);
    let oracle = !subject.command.iter().any(|word| word == "--no-oracle");
    covenant_report::write_suites(to, &subject, &tests, &report.objectives, &formats, oracle).ok()?;
    files::write_report(to, &report).ok()?;
    covenant_report::write_html(to).ok()?;
    let key = std::fs::read(from.join(KEY)).ok()?;
    files::write_file(&to.join(KEY), &key).ok()
}

fn one(args: &GenArgs, job: &Job<'_>, own: &[String], time: Duration, (program, running): (&Path, &Running)) -> End {
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
    command.arg(format!("--timeout={}ms", time.as_millis()));
    command.args(["-f", &job.entry.name, "--jobs", "1", "--quiet", "--no-progress", "-o"]).arg(&job.dir).args(flags);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
    let Ok(child) = command.spawn() else { return End::Lost };
    let process = child.id();
    running.list(process, true);
    let output = child.wait_with_output();
    running.list(process, false);
    let Ok(output) = output else { return End::Lost };
    let code = output.status.code().and_then(|code| u8::try_from(code).ok());
    let status = files::read_report(&job.dir).map(|report| report.status);
    let interrupted = status.as_ref().is_ok_and(|status| *status == Status::Interrupted);
    match code {
        Some(0 | 1) if interrupted => End::Interrupted,
        Some(code @ (0 | 1)) => {
            let late = code == 1 && status.is_ok_and(|status| status == Status::Timeout);
            let _ = files::write_file(&job.dir.join(KEY), job.kept_key(late, args.timeout).as_bytes());
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
