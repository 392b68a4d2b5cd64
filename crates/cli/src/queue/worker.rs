//! `covenant worker`: takes functions from a queue, analyses each as `gen` does, and puts the results into the store.
//!
//! A job is laid out in a folder of its own and done by a process of its own. While that goes on, the queue hears of it; a worker that is
//! killed is not heard of any more, and another one gets the job. Results are in the store before the queue is told that a job is
//! done, so nothing is lost, whoever is killed.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use covenant_goals::Status;
use covenant_queue::{Queue, Taken};
use covenant_report::files::{self, KEY};
use covenant_report::subject::sha256;

use super::archive::{self, Member};
use super::job::{Job, Outcome, as_asked, of_file};
use crate::args::WorkerArgs;
use crate::{identity, stop};

/// How long one question for a job waits.
const ASKED: Duration = Duration::from_secs(5); // not tuning: how soon Ctrl-C is noticed
/// Between two tries while the server is away.
const PAUSE: Duration = Duration::from_millis(500); // not tuning: what a server takes to start
/// Between two looks at a process.
const LOOK: Duration = Duration::from_millis(10); // not tuning: less than a process takes to start

/// The member of results that is none of their files.
pub(crate) const OUTCOME: &str = "outcome";
/// Left out of what travels: the page is made anew, the key is that of the one who asks, and a search that goes on is nobody's result.
const LEFT: &[&str] = &["report.html", KEY, "found", "error.txt"];

struct Worker<'a> {
    queue: &'a Queue,
    args: &'a WorkerArgs,
    program: PathBuf,
    /// Files by their digests, each fetched once.
    cache: PathBuf,
    stopped: Arc<AtomicBool>,
    /// Jobs that were done.
    done: AtomicUsize,
}

pub(crate) fn run(args: &WorkerArgs) -> Result<u8> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let slots = args.jobs.unwrap_or(cores).max(1);
    let program = std::env::current_exe().context("covenant does not find itself")?;
    let (queue, address) = super::open(&args.server, &args.queue, identity::BUILD)?;
    let folder = tempfile::Builder::new().prefix("covenant-worker-").tempdir().context("no temporary folder")?;
    let cache = folder.path().canonicalize()?;
    let stopped = stop::at_interrupt(Arc::new(AtomicBool::new(false)));
    queue.answer_roll_calls(slots)?;
    let worker = Worker { queue: &queue, args, program, cache, stopped, done: AtomicUsize::new(0) };
    if !args.quiet {
        let functions = crate::diagnose::counted(slots, "function", "functions");
        anstream::eprintln!("works for {}, {functions} at a time", address.shown());
    }
    std::thread::scope(|scope| {
        for _ in 0..slots {
            scope.spawn(|| worker.serve());
        }
    });
    if !args.quiet {
        anstream::eprintln!("{} done", crate::diagnose::counted(worker.done.into_inner(), "function", "functions"));
    }
    Ok(0)
}

impl Worker<'_> {
    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn serve(&self) {
        let mut idle = Instant::now();
        let mut away = false;
        while !self.is_stopped() && self.args.idle.is_none_or(|most| idle.elapsed() < most) {
            let asked = self.args.idle.map_or(ASKED, |most| ASKED.min(most));
            match self.queue.take(asked, self.args.ack_time) {
                Ok(None) => away = false,
                Ok(Some(taken)) => {
                    away = false;
                    self.with(&taken);
                    idle = Instant::now();
                }
                Err(error) => {
                    if !std::mem::replace(&mut away, true) && !self.args.quiet {
                        anstream::eprintln!("{error}; trying again");
                    }
                    std::thread::sleep(PAUSE);
                }
            }
        }
    }

    /// Does a job, while the queue hears that it is in work.
    fn with(&self, taken: &Taken) {
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let beats = scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::thread::park_timeout(self.args.ack_time / 3);
                    if !over.load(Ordering::Relaxed) {
                        let _ = taken.beat();
                    }
                }
            });
            let end = self.job(taken);
            over.store(true, Ordering::Relaxed);
            beats.thread().unpark();
            if let Err(error) = end {
                if !self.is_stopped() {
                    anstream::eprintln!("a job is given back: {error:#}");
                    std::thread::sleep(PAUSE);
                }
                let _ = taken.give_back();
            }
        });
    }

    fn job(&self, taken: &Taken) -> Result<()> {
        let Ok(job) = serde_json::from_slice::<Job>(taken.job()) else {
            // Nobody can do it.
            return self.surely(|| taken.done());
        };
        // Somebody may have done it, and was killed before he could say so; or another has the same question.
        if !self.surely(|| self.queue.has(&job.result))? {
            let folder = tempfile::Builder::new().prefix("job-").tempdir_in(&self.cache).context("no folder")?;
            let (outcome, final_, members) = match self.analyse(&job, folder.path())? {
                Ok(found) => found,
                Err(why) => (Outcome { code: None, said: format!("error: {why:#}") }, false, Vec::new()),
            };
            let head = Member { name: OUTCOME.to_owned(), runs: false, content: serde_json::to_vec(&outcome)? };
            let all: Vec<Member> = std::iter::once(head).chain(members).collect();
            let (name, bytes) = (if final_ { &job.result } else { &job.passing }, archive::pack(&all));
            self.surely(|| self.queue.store(name, &bytes))?;
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        self.queue.tell(&job.asker, &job.passing);
        // If that is not heard, somebody gets the job once more and finds the results.
        let _ = taken.done();
        Ok(())
    }

    /// Again and again while the server is away.
    fn surely<T>(&self, work: impl Fn() -> Result<T, covenant_queue::Error>) -> Result<T> {
        loop {
            match work() {
                Ok(found) => return Ok(found),
                Err(error) if self.is_stopped() => return Err(error.into()),
                Err(_) => std::thread::sleep(PAUSE),
            }
        }
    }

    /// The outer error: it cannot be done here and now. The inner one: it cannot be done at all.
    fn analyse(&self, job: &Job, here: &Path) -> Result<Result<(Outcome, bool, Vec<Member>)>> {
        if let Err(why) = self.lay_out(job, here)? {
            return Ok(Err(why));
        }
        let (out, directory) = (Job::place(here, &job.out)?, Job::place(here, &job.directory)?);
        let said = here.join("said");
        let mut command = Command::new(&self.program);
        command.args(job.words.iter().map(|word| Job::placed(word, here))).current_dir(directory);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(File::create(&said)?).process_group(0);
        if !self.args.quiet {
            anstream::eprintln!("{}", job.function);
        }
        let code = self.finished(command.spawn().context("covenant cannot be started")?)?;
        let status = files::read_report(&out).map(|report| report.status);
        let status = if matches!(code, Some(0 | 1)) { status.ok() } else { None };
        let is_final = match status {
            None | Some(Status::Interrupted) => false,
            Some(Status::Timeout) => code == Some(0),
            Some(_) => true,
        };
        let mut members = match out.is_dir() {
            true => archive::gather(&out, &|name| LEFT.contains(&name))?,
            false => Vec::new(),
        };
        members.iter_mut().for_each(|member| member.content = as_asked(&member.content, here));
        let said = as_asked(&std::fs::read(said)?, here);
        let outcome = Outcome { code, said: String::from_utf8_lossy(&said).into_owned() };
        Ok(Ok((outcome, is_final, members)))
    }

    fn finished(&self, mut child: Child) -> Result<Option<u8>> {
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status.code().and_then(|code| u8::try_from(code).ok()));
            }
            if self.is_stopped() {
                let _ = child.kill();
                let _ = child.wait();
                bail!("interrupted");
            }
            std::thread::sleep(LOOK);
        }
    }

    fn lay_out(&self, job: &Job, here: &Path) -> Result<Result<()>> {
        let mut paths = job.files.keys().chain(job.texts.keys()).chain(&job.folders).chain([&job.directory, &job.out]);
        if let Some(why) = paths.find_map(|path| Job::place(here, path).err()) {
            return Ok(Err(why));
        }
        for (path, digest) in &job.files {
            let Some(kept) = self.kept(digest)? else {
                return Ok(Err(anyhow!("{} is not in the store any more", path.display())));
            };
            let place = Job::place(here, path)?;
            std::fs::create_dir_all(place.parent().unwrap_or(here))?;
            if std::fs::hard_link(&kept, &place).is_err() {
                std::fs::copy(&kept, &place).with_context(|| place.display().to_string())?;
            }
        }
        for (path, text) in &job.texts {
            files::write_file(&Job::place(here, path)?, Job::placed(text, here).as_bytes())?;
        }
        for folder in job.folders.iter().chain([&job.directory]) {
            std::fs::create_dir_all(Job::place(here, folder)?)?;
        }
        Ok(Ok(()))
    }

    /// A file of the store on this machine.
    fn kept(&self, digest: &str) -> Result<Option<PathBuf>> {
        let place = self.cache.join("files").join(sha256(digest.as_bytes()));
        if !place.is_file() {
            let Some(content) = self.surely(|| self.queue.fetch(&of_file(digest)))? else { return Ok(None) };
            if sha256(&content) != digest {
                return Ok(None);
            }
            files::write_file(&place, &content)?;
        }
        Ok(Some(place))
    }
}
