//! What is made of the results of all functions: the index, the project's report, and whether they agree with each other.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use anyhow::Result;
use covenant_report::RunDir;
use covenant_report::against::{Against, Clash};
use covenant_report::files;
use covenant_report::index::{self, Before, FunctionRun, Head, Index};
use covenant_report::project;

use super::Job;
use super::told::RED;

/// The results of all functions as one.
pub(crate) struct Finished {
    pub(crate) whole: RunDir,
    pub(crate) clashes: Vec<Clash>,
    /// The page.
    pub(crate) index: PathBuf,
}

impl Finished {
    /// Whether results contradict each other, which is told.
    pub(crate) fn contradicts(&self) -> bool {
        for clash in &self.clashes {
            anstream::eprintln!(
                "{RED}error:{RED:#} covenant contradicts itself: {clash}; please send us both folders below {} and the sources",
                self.whole.dir.display()
            );
        }
        !self.clashes.is_empty()
    }
}

/// Makes a page where there is none, so that those of functions can lead to it; what the last one said.
pub(super) fn announce(out: &Path, jobs: &[Job<'_>]) -> Result<Option<Before>> {
    let before = index::before(out);
    if before.is_none() {
        let run = |job: &Job<'_>| FunctionRun {
            name: job.entry.name.clone(),
            file: job.entry.shown.clone(),
            folder: job.entry.folder.clone(),
            error: "not analysed yet".to_owned(),
            ..FunctionRun::default()
        };
        let runs: Vec<FunctionRun> = jobs.iter().map(run).collect();
        Index { functions: &runs, ..Index::default() }.write(out)?;
    }
    Ok(before)
}

/// Holds the results of functions against each other and writes what is about all of them. What tests of others take is covered.
pub(crate) fn finish(out: &Path, runs: &mut [FunctionRun], before: Option<Before>) -> Result<Finished> {
    let clashes = compare(out, runs);
    let mut whole = project::unite(out, "", runs);
    let head = head(&whole.subject.root);
    whole.report.subject.function.clone_from(&head.project);
    for run in runs.iter_mut() {
        run.open.iter_mut().for_each(|o| o.file = whole.subject.name(Path::new(&o.file)));
    }
    project::write(&whole)?;
    let mut made = Index::new(head, before, runs, &whole.report);
    made.contradictions = &clashes;
    let index = made.write(out)?;
    Ok(Finished { whole, clashes, index })
}

fn compare(out: &Path, runs: &mut [FunctionRun]) -> Vec<Clash> {
    let mut against = Against::default();
    let mut added = Vec::new();
    for run in runs.iter_mut().filter(|run| run.error.is_empty()) {
        if let Ok(report) = files::read_report(&out.join(&run.folder)) {
            against.add(&report, Path::new(&run.file));
            added.push(run);
        }
    }
    for (run, count) in added.into_iter().zip(against.elsewhere()) {
        run.taken_elsewhere(count);
    }
    against.clashes()
}

/// The project's name, the state of its sources, and when that is.
fn head(root: &Path) -> Head {
    let git =
        Command::new("git").arg("-C").arg(root).args(["describe", "--always", "--dirty"]).stdin(Stdio::null()).output();
    let commit = git.ok().filter(|output| output.status.success());
    let commit = commit.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let date = date.get(..16).unwrap_or_default().replace('T', " ");
    let project = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Head { project, commit, date }
}
