//! What `gen --all` says: at most a screen, the worst first; the rest is on the page.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use covenant_report::files;
use covenant_report::index::FunctionRun;

use super::Job;
use super::finish::Finished;
use super::work::End;
use crate::args::GenArgs;
use crate::diagnose::counted;
use crate::earlier;

pub(crate) const RED: Style = AnsiColor::Red.on_default().bold();
pub(super) const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const BOLD: Style = Style::new().bold();

/// Why functions have no results that could have some.
pub(super) const INTERRUPTED: &str = "interrupted before it was analysed";
pub(super) const LATE: &str = "the time of all functions was over before it was analysed";

/// Lines about single functions and defects: with the rest it is less than a screen of 24.
const ROWS: usize = 16; // not tuning: how much is told

/// What came of one function, with `--verbose`.
pub(super) fn one(job: &Job<'_>, end: End) {
    let run = job.described(end);
    let (style, word) = match (end, run.needs_a_look()) {
        (End::Interrupted | End::Late, _) => (YELLOW, "stopped"),
        (End::Same | End::Code(0 | 1), false) => (GREEN, "decided"),
        (End::Same | End::Code(0 | 1), true) if run.defects > 0 => (RED, "defect"),
        (End::Same | End::Code(0 | 1), true) => (YELLOW, "open"),
        _ => (RED, "failed"),
    };
    let t = &run.totals;
    let why = match end {
        End::Same => ", unchanged".to_owned(),
        _ => format!(", because {}", job.why),
    };
    let error = if run.error.is_empty() { String::new() } else { format!("; {}", run.error) };
    anstream::println!(
        "{style}{word:>8}{style:#}  {BOLD}{}{BOLD:#} {}: {} covered, {} infeasible, {} open, {}{why}{error}",
        run.name,
        run.file,
        t.covered,
        t.infeasible,
        t.unknown,
        counted(run.tests, "test", "tests"),
    );
    if let (End::Code(_), Ok(report)) = (end, files::read_report(&job.dir)) {
        earlier::summary(&report, &files::read_subject(&job.dir).map(|subject| subject.root).unwrap_or_default());
    }
}

/// What came of all.
pub(super) fn summary(finished: &Finished, runs: &[FunctionRun], ends: &[End], (started, args): (Instant, &GenArgs)) {
    let same = ends.iter().filter(|end| **end == End::Same).count();
    anstream::print!("{}", text(finished, runs, same, Some(started.elapsed())));
    let count = |wanted: End| ends.iter().filter(|end| **end == wanted).count();
    for (stopped, word, hint) in [
        (count(End::Interrupted), "interrupted", "the same command goes on".to_owned()),
        (
            count(End::Late),
            "time",
            format!(
                "--timeout {} is of all functions together; the same command goes on",
                humantime::format_duration(args.timeout)
            ),
        ),
    ] {
        if stopped > 0 {
            let are = if stopped == 1 { "is" } else { "are" };
            let functions = counted(stopped, "function", "functions");
            anstream::println!("  {YELLOW}{word}{YELLOW:#}: {functions} {are} not done; {hint}");
        }
    }
    // What changed in the tests of before is told in any case: it is what was asked for.
    if args.project_wide.since.is_some() && !args.verbose {
        for (run, _) in runs.iter().zip(ends).filter(|(_, end)| matches!(end, End::Code(_))) {
            let dir = finished.whole.dir.join(&run.folder);
            if let Ok(report) = files::read_report(&dir)
                && report
                    .since
                    .as_ref()
                    .is_some_and(|s| !(s.failing.is_empty() && s.lost.is_empty() && s.new.is_empty()))
            {
                anstream::println!("  {BOLD}{}{BOLD:#} {}:", run.name, run.file);
                earlier::summary(&report, &files::read_subject(&dir).map(|subject| subject.root).unwrap_or_default());
            }
        }
    }
    anstream::println!("  see {}", finished.index.display());
}

/// The totals, and below them what needs a look.
pub(crate) fn text(finished: &Finished, runs: &[FunctionRun], same: usize, took: Option<Duration>) -> String {
    let report = &finished.whole.report;
    let sum = report.asked();
    let same = if same == 0 { String::new() } else { format!(" ({same} unchanged)") };
    let elsewhere = match runs.iter().map(|run| run.elsewhere).sum::<u32>() {
        0 => String::new(),
        count => format!(" ({count} only by tests of other functions)"),
    };
    let dead = match report.dead() {
        0 => String::new(),
        count => format!(" ({count} dead in this program)"),
    };
    let noun = match &report.criteria[..] {
        [only] => only.noun(sum.objectives as usize),
        _ if sum.objectives == 1 => "objective",
        _ => "objectives",
    };
    let open = if sum.unknown > 0 { YELLOW } else { Style::new() };
    let mut text = format!(
        "{BOLD}{}{BOLD:#}{same}: {} {noun}, {GREEN}{} covered{GREEN:#}{elsewhere}, {} infeasible{dead}, {open}{} open{open:#}; {}, {}{}\n",
        counted(runs.len(), "function", "functions"),
        sum.objectives,
        sum.covered,
        sum.infeasible,
        sum.unknown,
        counted(report.tests.len(), "test", "tests"),
        counted(report.true_defects().count(), "defect", "defects"),
        took.map(|took| format!(", {:.1} s", took.as_secs_f64())).unwrap_or_default(),
    );
    let rows = rows(finished, runs);
    rows.iter().take(ROWS).for_each(|row| {
        let _ = writeln!(text, "  {row}");
    });
    if rows.len() > ROWS {
        let _ = writeln!(text, "  and {} more", rows.len() - ROWS);
    }
    text
}

/// Whether a function has no results though it was begun.
pub(crate) fn is_failed(run: &FunctionRun) -> bool {
    !run.error.is_empty() && ![INTERRUPTED, LATE].contains(&run.error.as_str())
}

/// What needs a look, the worst first.
fn rows(finished: &Finished, runs: &[FunctionRun]) -> Vec<String> {
    let mut rows = Vec::new();
    // What was not begun is told of as a whole.
    for run in runs.iter().filter(|run| is_failed(run)) {
        rows.push(format!("{RED}failed{RED:#}  {BOLD}{}{BOLD:#} {}: {}", run.name, run.file, run.error));
    }
    for d in finished.whole.report.true_defects() {
        let place = format!("{}:{}:{}", d.file, d.line, d.column);
        rows.push(format!("{RED}defect{RED:#}  {place}: {} [{}], see {}", d.message, d.kind, d.test));
    }
    let mut open: Vec<&FunctionRun> =
        runs.iter().filter(|run| run.error.is_empty() && run.totals.unknown > 0).collect();
    open.sort_by_key(|run| std::cmp::Reverse(run.totals.unknown));
    for run in open {
        let (left, all) = (run.totals.unknown, run.totals.objectives);
        rows.push(format!("{YELLOW}open{YELLOW:#}    {BOLD}{}{BOLD:#} {}: {left} of {all}", run.name, run.file));
    }
    rows
}

/// Results of functions that are gone: their suites no longer compile.
pub(super) fn orphans(out: &Path, jobs: &[Job<'_>]) {
    let Ok(entries) = std::fs::read_dir(out) else { return };
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    for folder in folders.iter().filter(|folder| folder.join(files::KEY).is_file()) {
        if !jobs.iter().any(|job| job.dir == *folder) {
            anstream::println!(
                "  {YELLOW}note{YELLOW:#}: {} is of a function that is not tested any more; remove it",
                folder.display()
            );
        }
    }
}
