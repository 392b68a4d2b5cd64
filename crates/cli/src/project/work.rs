//! The work of `gen --all`: each function in a process of its own, as many at a time as there are cores, or as workers elsewhere have.
//!
//! A search that others may follow writes what these go on from. When a function has had its last
//! one, a process makes its suites and runs its tests natively.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use covenant_goals::report::Report;
use covenant_goals::{ReasonKind, Status, VerdictKind};
use covenant_report::files::{self, KEY};

use super::bar::Bar;
use super::catalogue::Catalogue;
use super::child::{Ended, Running, Until};
use super::kept::{self, Kept, go_on};
use super::plan::{Found, More, Offer, Plan, State, Step, Task};
use super::remote::{self, Digests};
use super::{Job, told};
use crate::args::GenArgs;
use crate::args::project::Part;
use crate::identity;
use crate::queue::archive::{self, Member};
use crate::queue::ask::{Answer, Remote};
use crate::queue::job::Outcome;

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

/// What the work is about.
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
    plan: Mutex<Plan>,
    /// What became of each job so far.
    ends: Mutex<Vec<End>>,
}

/// What a process has beyond the time of all functions to notice that it is over.
const NOTICE: Duration = Duration::from_secs(3); // not tuning: much longer than it takes
/// Between two looks at what there is to do.
const LOOK: Duration = Duration::from_millis(20); // not tuning: what a process takes to start
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
    let found: Vec<Kept> = jobs.iter_mut().map(|job| kept::kept(args, catalogue, job)).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = args.jobs.unwrap_or(cores).max(1);
    let shows = !args.no_progress && !args.quiet && std::io::stderr().is_terminal();
    let ends = found.iter().map(|kept| if *kept == Kept::Nothing { End::Late } else { End::Same }).collect();
    let tasks = jobs.iter().zip(&found).map(|(job, kept)| task(catalogue, job, *kept)).collect();
    let until = started.checked_add(args.timeout).filter(|_| !args.timeout.is_zero());
    let (bar, ends, digests) = (Bar::new(shows, jobs.len()), Mutex::new(ends), Digests::default());
    let plan = Mutex::new(Plan::new(tasks, until, workers));
    let mut work =
        Work { args, catalogue, jobs, own, program, running, workers, remote, until, digests, bar, plan, ends };
    work.begin();
    work.all();
    work.bar.clear();
    Ok(work.ends.into_inner().unwrap_or_default())
}

fn task(catalogue: &Catalogue, job: &Job<'_>, kept: Kept) -> Task {
    let size = (catalogue.size(job.entry), job.rank);
    let before = if let Kept::Open { in_vain, .. } = kept { Some(in_vain) } else { None };
    let mut task = Task::new(size, job.limit, before);
    match kept {
        Kept::Right => task.state = State::Settled,
        Kept::Nothing => {}
        Kept::Open { unconfirmed, .. } => {
            let more = files::read_report(&job.dir).map_or(More::No, |report| more(&report));
            (task.unconfirmed, task.more) = (unconfirmed, more != More::No);
            if !task.more {
                task.state = if unconfirmed { State::Searched } else { State::Settled };
            }
        }
    }
    task
}

/// Whether more search may decide more than there is in these results.
fn more(report: &Report) -> More {
    // What is not understood stays so, and what was not asked for, too.
    let is_final = |kind: Option<ReasonKind>| matches!(kind, Some(ReasonKind::Unsupported | ReasonKind::Bound));
    let asked = |o: &covenant_goals::report::ObjectiveEntry| !report.measured.contains(&o.criterion);
    let open = report.objectives.iter().filter(|o| o.verdict == VerdictKind::Unknown && asked(o));
    match report.status {
        _ if open.map(|o| o.kind).all(is_final) => More::No,
        Status::Timeout | Status::Interrupted => More::Time,
        Status::Complete | Status::Limit => More::Stalled,
    }
}

impl Work<'_> {
    /// Tells of what is there, and asks for workers elsewhere, and for what they have done before.
    fn begin(&mut self) {
        for (index, job) in self.jobs.iter().enumerate().filter(|(index, _)| self.state(*index) == State::Settled) {
            self.tell(job, self.end(index));
            self.bar.settle();
        }
        let open: Vec<usize> = (0..self.jobs.len()).filter(|&index| self.state(index) != State::Settled).collect();
        if let Some(remote) = self.remote.as_ref().filter(|_| !open.is_empty()) {
            self.look_up(remote, &open);
            let is_open = open.iter().any(|&index| self.state(index) != State::Settled);
            let workers = if is_open { somebody(remote, &self.running, self.until) } else { 1 };
            self.planned(|plan| plan.set_workers(workers));
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
                        let offer = Offer { index, time: Duration::ZERO, within: None };
                        let words = self.words(job, Some((offer, None)));
                        let found = self.asked(job, &words).ok().and_then(|asked| remote.known(&asked));
                        if let Some(Answer::Done(outcome, members)) = found.filter(|_| !self.args.project_wide.fresh) {
                            let (code, said) = self.put(job, outcome, &members);
                            let end = self.settle(job, code, &said);
                            self.planned(|plan| plan.known(index));
                            self.set(index, end);
                            if matches!(end, End::Code(0 | 1)) {
                                self.keep(index);
                            }
                            self.tell(job, end);
                            self.bar.settle();
                        }
                    }
                });
            }
        });
    }

    /// Does what there is to do, several at a time.
    fn all(&self) {
        std::thread::scope(|scope| {
            for _ in 0..self.at_once().min(self.jobs.len()) {
                scope.spawn(|| {
                    loop {
                        match self.next() {
                            Step::Search(offer) => self.search(offer),
                            Step::Finish(index) => self.finish(index),
                            Step::Wait => std::thread::sleep(LOOK),
                            Step::Over => break,
                        }
                    }
                });
            }
        });
        if self.running.stopped() {
            for index in (0..self.jobs.len()).filter(|&index| self.end(index) == End::Late) {
                self.set(index, End::Interrupted);
            }
        }
    }

    fn next(&self) -> Step {
        let stopped = self.running.stopped();
        self.planned(|plan| {
            if stopped {
                plan.stop();
            }
            plan.next(Instant::now())
        })
        .unwrap_or(Step::Over)
    }

    fn planned<T>(&self, work: impl FnOnce(&mut Plan) -> T) -> Option<T> {
        self.plan.lock().ok().map(|mut plan| work(&mut plan))
    }

    fn task(&self, index: usize) -> Task {
        self.planned(|plan| plan.tasks.get(index).cloned()).flatten().unwrap_or_default()
    }

    fn state(&self, index: usize) -> State {
        self.task(index).state
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

    fn end(&self, index: usize) -> End {
        self.ends.lock().ok().and_then(|ends| ends.get(index).copied()).unwrap_or(End::Late)
    }

    fn set(&self, index: usize, to: End) {
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

    /// Searches for what is open in a function.
    fn search(&self, offer: Offer) {
        let (job, task, started) = (&self.jobs[offer.index], self.task(offer.index), Instant::now());
        self.bar.begin(&job.entry.name);
        // What is there is of this code, and what follows goes on from it.
        let again = task.rounds > 0;
        let before = if again { decided(job) } else { 0 };
        match again {
            true => go_on(&job.dir, &job.dir),
            // Results of other code must not look like those of this one.
            false => drop(std::fs::remove_file(job.dir.join(KEY))),
        }
        // What a function could not reach by itself may be what its callees were tested with.
        if again {
            job.callees.iter().for_each(|callee| go_on(callee, &job.dir));
        }
        let part = self.is_passing(job).then_some(if again { Part::Again } else { Part::First });
        let words = self.words(job, Some((offer, part)));
        let done = match &self.remote {
            Some(remote) => self.elsewhere(remote, job, &words),
            None => self.here(&words, self.overdue()),
        };
        let end = match done {
            Ok((code, said)) => self.settle(job, code, &said),
            Err(end) => end,
        };
        let report = files::read_report(&job.dir).ok();
        self.bar.end(&job.entry.name);
        let found = match (end, &report) {
            (End::Code(0 | 1) | End::Interrupted, Some(report)) => Found {
                more: more(report),
                gained: report.asked().covered + report.asked().infeasible > before,
                unconfirmed: part.is_some(),
                open: report.asked().unknown as usize,
                loading: self.loading(started, report),
            },
            _ if again && job.dir.join(KEY).is_file() => {
                self.planned(|plan| plan.failed(offer.index, offer.time));
                return self.keep(offer.index);
            }
            _ => Found { more: More::No, gained: false, unconfirmed: false, open: 0, loading: None },
        };
        self.planned(|plan| plan.searched(offer.index, offer.time, found));
        self.set(offer.index, end);
        if matches!(end, End::Code(0 | 1)) || again {
            self.keep(offer.index);
        }
        let task = self.task(offer.index);
        if task.state != State::Searched || task.more {
            self.tell(job, end);
        }
        self.settled(offer.index);
    }

    /// When a search is given up.
    fn overdue(&self) -> Until {
        let time = self.until.and_then(|until| until.checked_add(NOTICE));
        time.map_or(Until::Interrupted, Until::Time)
    }

    /// What a function took beside its search.
    fn loading(&self, started: Instant, report: &Report) -> Option<Duration> {
        let took = started.elapsed().checked_sub(Duration::from_millis(report.stats.wall_ms));
        took.filter(|_| self.remote.is_none())
    }

    /// Makes the suites of a function and runs its tests natively.
    fn finish(&self, index: usize) {
        let (job, started) = (&self.jobs[index], Instant::now());
        self.bar.begin(&job.entry.name);
        let words = self.words(job, None);
        let before = self.end(index);
        let end = match self.here(&words, Until::Done) {
            Ok((code, said)) => self.settle(job, code, &said),
            Err(end) => end,
        };
        self.bar.end(&job.entry.name);
        self.planned(|plan| plan.finished(index, started.elapsed()));
        self.set(index, if before == End::Interrupted && matches!(end, End::Code(_)) { before } else { end });
        if matches!(end, End::Code(0 | 1)) && (before != End::Interrupted || job.dir.join(KEY).is_file()) {
            self.keep(index);
        }
        if !self.task(index).more {
            self.tell(job, end);
        }
        self.settled(index);
    }

    fn settled(&self, index: usize) {
        if self.state(index) == State::Settled {
            self.bar.settle();
        }
    }

    /// Leaves beside the results what they are of.
    fn keep(&self, index: usize) {
        let (job, task) = (&self.jobs[index], self.task(index));
        let text = kept::written(job, task.more, task.in_vain, task.unconfirmed);
        let _ = files::write_file(&job.dir.join(KEY), text.as_bytes());
    }

    /// Whether what a search writes is only for those that follow. Elsewhere results are those of
    /// all that ask, and where there is no end none follow. Tests of before are compared natively
    /// by each.
    fn is_passing(&self, job: &Job<'_>) -> bool {
        self.remote.is_none() && self.until.is_some() && self.from(job).is_none() && self.args.expect.is_none()
    }

    /// The command of one function: a search, or what follows the last one.
    fn words(&self, job: &Job<'_>, search: Option<(Offer, Option<Part>)>) -> Vec<String> {
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
        let part = match search {
            Some((offer, part)) => {
                words.push(format!("--timeout={}ms", offer.time.as_millis()));
                words.extend(offer.within.map(|within| format!("--within={}ms", within.as_millis())));
                part
            }
            None => Some(Part::Last),
        };
        words.extend(part.map(|part| format!("--part={}", part.word())));
        words.extend(
            ["-f", &job.entry.name, "--jobs", "1", "--quiet", "--no-progress", "--tied", "-o"].map(str::to_owned),
        );
        words.push(text(&job.dir));
        words.extend(flags.iter().cloned());
        words
    }

    /// The results that it starts from, and as what.
    fn from(&self, job: &Job<'_>) -> Option<(&'static str, PathBuf)> {
        let since = kept::earlier(self.args, job).filter(|dir| files::read_report(dir).is_ok());
        let keeps = || self.args.project_wide.keep && files::read_report(&job.dir).is_ok();
        since.map(|dir| ("--since", dir)).or_else(|| keeps().then(|| ("--existing", job.dir.clone())))
    }

    /// The exit code of a process of ours, and what it said.
    fn here(&self, words: &[String], until: Until) -> Result<(Option<u8>, Vec<u8>), End> {
        match self.running.run(&self.program, words, until) {
            Ended::Code(code, said) => Ok((code, said)),
            Ended::Overdue => Err(End::Late),
            Ended::Lost => Err(End::Lost),
        }
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
            let _ = kept::refresh(self.catalogue, job);
        }
        (outcome.code, outcome.said.into_bytes())
    }

    fn settle(&self, job: &Job<'_>, code: Option<u8>, said: &[u8]) -> End {
        let status = files::read_report(&job.dir).map(|report| report.status);
        match code {
            Some(0 | 1) if matches!(status, Ok(Status::Interrupted)) => End::Interrupted,
            Some(code @ (0 | 1)) => {
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

fn decided(job: &Job<'_>) -> u32 {
    files::read_report(&job.dir).map(|report| report.asked()).map_or(0, |totals| totals.covered + totals.infeasible)
}
