//! Results of earlier runs: whether they are still right, what is to be gone on with, and how they
//! come to be those of this run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use covenant_report::files::{self, KEY};

use super::Job;
use super::catalogue::Catalogue;
use crate::args::GenArgs;
use crate::unfinished::Unfinished;

/// Stands in a key behind results that more time may improve, before how long was searched in vain.
const CUT: &str = "time ";
/// Stands in a key behind results whose tests were not run natively yet.
const UNCONFIRMED: &str = "unconfirmed";
/// How much more time there must be than what was in vain.
const MORE: (u32, u32) = (3, 2); // not tuning: what is worth a search

/// What an earlier run left of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kept {
    Nothing,
    /// Results that are still right.
    Right,
    /// Results that are right as far as they go: to search for so long decided no more.
    Open {
        in_vain: Duration,
        unconfirmed: bool,
    },
}

/// What is kept beside results: of what they are, and what there is to go on with.
pub(super) fn written(job: &Job<'_>, more: bool, in_vain: Duration, unconfirmed: bool) -> String {
    let mut key = job.key.clone();
    if more || unconfirmed {
        let unconfirmed = if unconfirmed { UNCONFIRMED } else { "" };
        key.push_str(format!("{CUT}{} {unconfirmed}", in_vain.as_millis()).trim_end());
        key.push('\n');
    }
    key
}

impl Job<'_> {
    /// What results with this key are for the job, were all functions to share so much time; zero:
    /// as long as they like.
    fn judged(&self, kept: &str, total: Duration) -> Kept {
        let Some(rest) = kept.strip_prefix(&self.key) else { return Kept::Nothing };
        if rest.is_empty() {
            return Kept::Right;
        }
        let mut words = rest.strip_prefix(CUT).unwrap_or_default().split_whitespace();
        let Some(in_vain) = words.next().and_then(|text| text.parse().ok()).map(Duration::from_millis) else {
            return Kept::Nothing;
        };
        let unconfirmed = words.next() == Some(UNCONFIRMED);
        let now = self.most(total);
        let is_in_vain = !in_vain.is_zero() && !now.is_zero() && now <= in_vain * MORE.0 / MORE.1;
        if is_in_vain && !unconfirmed { Kept::Right } else { Kept::Open { in_vain, unconfirmed } }
    }
}

/// What there is of the results of a job; if they are not right, the job is told why it is
/// analysed. Other functions of their files may have changed; the digests then do too.
pub(super) fn kept(args: &GenArgs, catalogue: &Catalogue, job: &mut Job<'_>) -> Kept {
    if args.project_wide.fresh {
        job.why = "--fresh".to_owned();
        return Kept::Nothing;
    }
    let read = |dir: &Path| std::fs::read_to_string(dir.join(KEY)).ok();
    let here = read(&job.dir);
    let mut found = here.as_ref().map_or(Kept::Nothing, |key| job.judged(key, args.timeout));
    let there = earlier(args, job);
    let there_key = there.as_deref().and_then(read);
    if found != Kept::Right
        && let (Some(dir), Some(key)) = (there, &there_key)
        && job.judged(key, args.timeout) == Kept::Right
        && take_over(&dir, &job.dir).is_some()
    {
        found = Kept::Right;
    }
    if found != Kept::Nothing && refresh(catalogue, job).is_none() {
        found = Kept::Nothing;
    }
    job.why = match (found, there_key.or(here)) {
        (Kept::Right, _) => String::new(),
        (Kept::Open { .. }, _) => "there is more time".to_owned(),
        (Kept::Nothing, None) => "it is new".to_owned(),
        (Kept::Nothing, Some(key)) if key.starts_with(&job.key) => "its results are not complete".to_owned(),
        (Kept::Nothing, Some(key)) => format!("{} changed", super::key::changes(&key, &job.key)),
    };
    found
}

/// The results of an earlier run elsewhere.
pub(super) fn earlier(args: &GenArgs, job: &Job<'_>) -> Option<PathBuf> {
    args.project_wide.since.as_ref().map(|since| since.join(&job.entry.folder))
}

pub(super) fn refresh(catalogue: &Catalogue, job: &Job<'_>) -> Option<()> {
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

/// Lets a search start from tests of an earlier one: each input has the value that the input of
/// this name had there.
pub(super) fn go_on(from: &Path, to: &Path) {
    let Ok(report) = files::read_report(from) else { return };
    let unfinished = Unfinished::new(to);
    files::read_tests(from, &report).iter().flatten().for_each(|test| unfinished.keep(test));
}
