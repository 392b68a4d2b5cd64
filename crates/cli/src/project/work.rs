//! The work of `gen --all`: each function in a process of its own, as many at a time as there are cores, or as workers elsewhere have.
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
use super::remote::{self, Digests};
use super::{Job, told};
use covenant_goals::Status;

use crate::args::GenArgs;
use crate::identity;
use crate::queue::archive::{self, Member};
use crate::queue::ask::{Answer, Remote};
use crate::queue::job::Outcome;
use crate::unfinished::Unfinished;

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
    catalogue: &'a Catalogue,
    jobs: &'a [Job<'a>],
    own: &'a [String],
    program: PathBuf,
    running: Arc<Running>,
    workers: usize,
    /// Workers elsewhere.
    remote: Option<Remote>,
    /// When the time of all is over.
    until: Option<Instant>,
    digests: Digests,
    bar: Bar,
    /// What became of each job so far, and what it was offered last.
    ends: Mutex<Vec<(End, Duration)>>,
}

/// What is waited for beyond the time of all functions, and once more that time: replays of results that are on their way.
const GRACE: Duration = Duration::from_secs(60); // not tuning: when a queue that nobody works on is given up

/// Waits until workers are there; how many functions they take at a time.
fn somebody(remote: &Remote, running: &Running, until: Option<Instant>) -> usize {
    let mut told = false;
    loop {
        let slots = remote.slots();
        if slots > 0 || running.stopped() || until.is_some_and(|until| Instant::now() >= until) {
            return slots.max(1);
        }
        if !std::mem::replace(&mut told, true) {
            let shown = &remote.shown;
            anstream::eprintln!(
                "no worker answers at {shown}; start some with `covenant worker {shown}`, from this build of covenant and with the same clang and headers of the system"
            );
        }
    }
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
    let on = args.project_wide.on.as_ref();
    let remote = on.map(|server| Remote::open(server, &args.project_wide.queue, identity::BUILD)).transpose()?;
    let kept: Vec<bool> = jobs.iter_mut().map(|job| kept(args, catalogue, job)).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = args.jobs.unwrap_or(cores).max(1);
    let shows = !args.no_progress && !args.quiet && std::io::stderr().is_terminal();
    let ends = kept.iter().map(|kept| (if *kept { End::Same } else { End::Late }, Duration::ZERO)).collect();
    let (bar, ends) = (Bar::new(shows, jobs.len()), Mutex::new(ends));
    let until = started.checked_add(args.timeout).filter(|_| !args.timeout.is_zero());
    let digests = Digests::default();
    let work = Work { args, catalogue, jobs, own, program, running, workers, remote, until, digests, bar, ends };
    work.rounds(started);
    work.bar.clear();
    let ends = work.ends.into_inner().unwrap_or_default();
    Ok(ends.into_iter().map(|(end, _)| end).collect())
}

impl Work<'_> {
    fn rounds(&self, started: Instant) {
        for (index, job) in self.jobs.iter().enumerate().filter(|(index, _)| self.end(*index).0 == End::Same) {
            self.tell(job, self.end(index).0);
            self.bar.settle();
        }
        let mut open: Vec<usize> = (0..self.jobs.len()).filter(|&index| self.end(index).0 != End::Same).collect();
        let mut workers = self.workers;
        if let Some(remote) = self.remote.as_ref().filter(|_| !open.is_empty()) {
            self.look_up(remote, &open);
            open.retain(|&index| self.end(index).0 == End::Late);
            workers = if open.is_empty() { 1 } else { somebody(remote, &self.running, self.until) };
        }
        let mut budget = Budget::new(started, self.args.timeout, workers);
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

    /// Takes what others have analysed before.
    fn look_up(&self, remote: &Remote, open: &[usize]) {
        const AT_ONCE: usize = 16; // not tuning: threads that wait
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..AT_ONCE.min(open.len()) {
                scope.spawn(|| {
                    while let Some(&index) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let job = &self.jobs[index];
                        let words = self.words(job, Duration::ZERO);
                        let found = self.asked(job, &words).ok().and_then(|asked| remote.known(&asked));
                        if let Some(Answer::Done(outcome, members)) = found.filter(|_| !self.args.project_wide.fresh) {
                            let (code, said) = self.put(job, outcome, &members);
                            let end = self.settle(job, code, &said);
                            self.set(index, (end, Duration::from_millis(1)));
                            self.tell(job, end);
                            self.bar.settle();
                        }
                    }
                });
            }
        });
    }

    fn round(&self, open: &[usize], slice: Duration, budget: &Budget) {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.at_once().min(open.len()) {
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
                        let end = self.one(job, offer, before);
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

    /// How many functions are in work, or in the queue.
    fn at_once(&self) -> usize {
        const MOST: usize = 1024; // not tuning: threads that wait
        match &self.remote {
            // There is always one more for a worker that has done its work, and for workers that come later.
            Some(remote) => (2 * remote.slots().max(self.workers)).clamp(8, MOST), // not tuning: a queue that is never empty
            None => self.workers,
        }
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
        Some(key) if key.starts_with(&job.key) => {
            job.goes_on = true;
            "there is more time".to_owned()
        }
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

impl Work<'_> {
    fn one(&self, job: &Job<'_>, time: Duration, before: Duration) -> End {
        // Results of other code must not look like those of this one.
        let _ = std::fs::remove_file(job.dir.join(KEY));
        if job.goes_on || !before.is_zero() {
            go_on(&job.dir, &job.dir);
        }
        // What a function could not reach by itself may be what its callees were tested with. All of them have been searched by now.
        if !before.is_zero() {
            job.callees.iter().for_each(|callee| go_on(callee, &job.dir));
        }
        let words = self.words(job, time);
        let done = match &self.remote {
            Some(remote) => self.elsewhere(remote, job, &words),
            None => self.here(&words),
        };
        match done {
            Ok((code, said)) => self.settle(job, code, &said),
            Err(end) => end,
        }
    }

    /// The command of one function.
    fn words(&self, job: &Job<'_>, time: Duration) -> Vec<String> {
        let text = |path: &Path| path.display().to_string();
        let (options, flags) = match self.own.iter().position(|word| word == "--") {
            Some(at) => self.own.split_at(at),
            None => (self.own, &[][..]),
        };
        let mut words = vec!["gen".to_owned()];
        words.extend(options.iter().cloned().chain(job.files.iter().map(|file| text(file))));
        if let Some((option, dir)) = self.from(job) {
            words.extend([option.to_owned(), text(&dir)]);
        }
        words.push(format!("--timeout={}ms", time.as_millis()));
        words.extend(
            ["-f", &job.entry.name, "--jobs", "1", "--quiet", "--no-progress", "--tied", "-o"].map(str::to_owned),
        );
        words.push(text(&job.dir));
        words.extend(flags.iter().cloned());
        words
    }

    /// The results that it starts from, and as what.
    fn from(&self, job: &Job<'_>) -> Option<(&'static str, PathBuf)> {
        let since = earlier(self.args, job).filter(|dir| files::read_report(dir).is_ok());
        let keeps = || self.args.project_wide.keep && files::read_report(&job.dir).is_ok();
        since.map(|dir| ("--since", dir)).or_else(|| keeps().then(|| ("--existing", job.dir.clone())))
    }

    /// The exit code of a process of ours, and what it said.
    fn here(&self, words: &[String]) -> Result<(Option<u8>, Vec<u8>), End> {
        let mut command = Command::new(&self.program);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
        let mut child = command.spawn().map_err(|_| End::Lost)?;
        // As long as somebody holds it, the process knows that we are there.
        let tie = child.stdin.take();
        let process = child.id();
        self.running.list(process, true);
        let output = child.wait_with_output();
        self.running.list(process, false);
        drop(tie);
        let output = output.map_err(|_| End::Lost)?;
        Ok((output.status.code().and_then(|code| u8::try_from(code).ok()), output.stderr))
    }

    /// The same by a worker elsewhere.
    fn elsewhere(&self, remote: &Remote, job: &Job<'_>, words: &[String]) -> Result<(Option<u8>, Vec<u8>), End> {
        let asked = match self.asked(job, words) {
            Ok(asked) => asked,
            Err(error) => return Ok((None, format!("error: {error:#}").into_bytes())),
        };
        let until = self.until.and_then(|until| until.checked_add(self.args.timeout + GRACE));
        match remote.run(asked, until, &|| self.running.stopped()) {
            Answer::Stopped => Err(End::Interrupted),
            Answer::Late => Err(End::Late),
            Answer::Failed(error) => Ok((None, format!("error: {error:#}").into_bytes())),
            Answer::Done(outcome, members) => Ok(self.put(job, outcome, &members)),
        }
    }

    fn asked(&self, job: &Job<'_>, words: &[String]) -> Result<crate::queue::job::Job> {
        let from = self.from(job).map(|(_, dir)| dir);
        remote::job(self.args, (self.catalogue, &self.digests), job, words, from.as_deref())
    }

    /// Writes results that came from elsewhere as if they had been made here.
    fn put(&self, job: &Job<'_>, outcome: Outcome, members: &[Member]) -> (Option<u8>, Vec<u8>) {
        remote::clear(&job.dir);
        if let Err(error) = archive::write(&job.dir, members) {
            return (None, format!("error: {error:#}").into_bytes());
        }
        if matches!(outcome.code, Some(0 | 1)) {
            let _ = covenant_report::write_html(&job.dir);
            let _ = refresh(self.catalogue, job);
        }
        (outcome.code, outcome.said.into_bytes())
    }

    fn settle(&self, job: &Job<'_>, code: Option<u8>, said: &[u8]) -> End {
        let status = files::read_report(&job.dir).map(|report| report.status);
        let interrupted = status.as_ref().is_ok_and(|status| *status == Status::Interrupted);
        match code {
            Some(0 | 1) if interrupted => End::Interrupted,
            Some(code @ (0 | 1)) => {
                let late = code == 1 && status.is_ok_and(|status| status == Status::Timeout);
                let _ = files::write_file(&job.dir.join(KEY), job.kept_key(late, self.args.timeout).as_bytes());
                let _ = std::fs::remove_file(job.dir.join("error.txt"));
                End::Code(code)
            }
            _ if self.running.stopped() => End::Interrupted,
            _ => {
                let _ = files::write_file(&job.dir.join("error.txt"), said);
                code.map_or(End::Lost, End::Code)
            }
        }
    }
}

/// Lets a search start from tests of an earlier one: each input has the value that the input of this name had there.
fn go_on(from: &Path, to: &Path) {
    let Ok(report) = files::read_report(from) else { return };
    let unfinished = Unfinished::new(to);
    files::read_tests(from, &report).iter().flatten().for_each(|test| unfinished.keep(test));
}
