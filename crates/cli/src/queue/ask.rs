//! Who puts jobs into a queue and waits for their results.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, ensure};
use covenant_queue::{Notes, Queue};
use covenant_report::subject::sha256;

use super::archive::{self, Member};
use super::job::{Job, Outcome, of_file};
use super::worker::OUTCOME;
use crate::args::QueueArgs;

/// How often the store is asked for results, should nobody have said that they are there.
const LOOK: Duration = Duration::from_secs(5); // not tuning: what a lost hint costs
/// How soon Ctrl-C is noticed.
const STEP: Duration = Duration::from_millis(250); // not tuning: less than people notice
/// Between two tries while the server is away.
const PAUSE: Duration = Duration::from_millis(300); // not tuning: what a server takes to start

pub(crate) struct Remote {
    queue: Queue,
    notes: Arc<Notes>,
    /// Who we are, among all who ask.
    name: String,
    /// Where the server is, for people.
    pub(crate) shown: String,
    asked: AtomicUsize,
    /// Digests of files that the store has.
    stored: Mutex<BTreeSet<String>>,
}

/// Results as they come.
type Found = (Outcome, Vec<Member>);

fn read(found: &[u8]) -> Result<Found> {
    let mut members = archive::unpack(found)?;
    let head = members.iter().position(|member| member.name == OUTCOME).context("results without an outcome")?;
    let outcome: Outcome = serde_json::from_slice(&members.remove(head).content)?;
    Ok((outcome, members))
}

/// What came of a job.
pub(crate) enum Answer {
    Done(Outcome, Vec<Member>),
    /// It could not even be asked for.
    Failed(anyhow::Error),
    Stopped,
    Late,
}

impl Remote {
    pub(crate) fn open(server: &str, args: &QueueArgs, build: &str) -> Result<Remote> {
        let (queue, address) = super::open(server, args, build)?;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let name = sha256(format!("{} {}", std::process::id(), now.as_nanos()).as_bytes())[..16].to_owned();
        let notes = queue.notes(&name)?;
        let (asked, stored) = (AtomicUsize::new(0), Mutex::default());
        Ok(Remote { queue, notes, name, shown: address.shown(), asked, stored })
    }

    /// How many functions can be analysed at a time; none while nobody answers.
    pub(crate) fn slots(&self) -> usize {
        self.queue.roll_call().unwrap_or(0)
    }

    /// The results of a job that somebody has done before.
    pub(crate) fn known(&self, job: &Job) -> Option<Answer> {
        let (outcome, members) = self.shared(job).ok()??;
        Some(Answer::Done(outcome, members))
    }

    /// Has somebody do a job. `until` is when nobody waits any more, `stopped` whether somebody pressed Ctrl-C.
    pub(crate) fn run(&self, mut job: Job, until: Option<Instant>, stopped: &dyn Fn() -> bool) -> Answer {
        job.passing = format!("passing/{}-{}", self.name, self.asked.fetch_add(1, Ordering::Relaxed));
        job.asker.clone_from(&self.name);
        let over = || until.is_some_and(|until| Instant::now() >= until);
        let mut tries = 0;
        loop {
            match self.attempt(&job, tries, &|| stopped() || over()) {
                Ok(Some((outcome, members))) => return Answer::Done(outcome, members),
                Ok(None) if stopped() => return Answer::Stopped,
                Ok(None) if over() => return Answer::Late,
                // It left the queue, and there are no results: it is asked for once more.
                Ok(None) => tries += 1,
                Err(error) if error.downcast_ref::<covenant_queue::Error>().is_none() => return Answer::Failed(error),
                Err(_) if stopped() => return Answer::Stopped,
                Err(_) if over() => return Answer::Late,
                Err(_) => std::thread::sleep(PAUSE),
            }
        }
    }

    /// `None`: no longer waited for, or lost.
    fn attempt(&self, job: &Job, tries: usize, ends: &dyn Fn() -> bool) -> Result<Option<Found>> {
        if let Some(found) = self.results(job)? {
            return Ok(Some(found));
        }
        for (path, digest) in &job.files {
            self.send(path, digest)?;
        }
        let number = self.queue.publish(&format!("{}-{tries}", job.passing), &serde_json::to_vec(job)?)?;
        let mut looked = Instant::now();
        loop {
            let told = self.notes.wait_for(&job.passing, STEP);
            if ends() {
                let _ = self.queue.withdraw(number);
                return Ok(None);
            }
            if !told && looked.elapsed() < LOOK {
                continue;
            }
            looked = Instant::now();
            // In this order: what leaves the queue has its results in the store.
            let queued = self.queue.is_queued(number)?;
            if let Some(found) = self.results(job)? {
                return Ok(Some(found));
            }
            if !queued {
                return Ok(None);
            }
        }
    }

    fn results(&self, job: &Job) -> Result<Option<Found>> {
        if let Some(found) = self.shared(job)? {
            return Ok(Some(found));
        }
        let Some(found) = self.queue.fetch(&job.passing)? else { return Ok(None) };
        let _ = self.queue.forget(&job.passing);
        read(&found).map(Some)
    }

    fn shared(&self, job: &Job) -> Result<Option<Found>> {
        self.queue.fetch(&job.result)?.map(|found| read(&found)).transpose()
    }

    fn send(&self, path: &Path, digest: &str) -> Result<()> {
        if self.stored.lock().is_ok_and(|stored| stored.contains(digest)) {
            return Ok(());
        }
        let name = of_file(digest);
        if !self.queue.has(&name)? {
            let content = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
            ensure!(sha256(&content) == digest, "{} has changed meanwhile", path.display());
            self.queue.store(&name, &content)?;
        }
        if let Ok(mut stored) = self.stored.lock() {
            stored.insert(digest.to_owned());
        }
        Ok(())
    }
}
