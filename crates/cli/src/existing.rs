//! `--existing` and `--since`: a suite that is there stays, and only what it misses is added.
//!
//! The tests of the earlier run are compiled with the code as it is now and run; llvm-cov says what each reaches. Those that
//! still pass are kept under their names. Of the new tests only those are taken that reach something more, or show a defect.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result};
use covenant_goals::report::{ObjectiveEntry, Since, TestEntry, Totals};
use covenant_goals::{Report, TestCase};
use covenant_report::replay::reached;
use covenant_report::{ReplayOptions, files};

use crate::args::GenArgs;
use crate::diagnose::shown;
use crate::subject::Loaded;

const YELLOW: Style = AnsiColor::Yellow.on_default().bold();

/// Puts the tests that are there before the new ones. Returns what contradicts a proof, if something does.
pub(crate) fn merge(
    args: &GenArgs,
    loaded: &Loaded,
    report: &mut Report,
    tests: &mut Vec<TestCase>,
) -> Result<Option<String>> {
    let Some(dir) = args.project_wide.existing.as_deref().or(args.project_wide.since.as_deref()) else {
        return Ok(None);
    };
    let before = files::read_report(dir).context("there is no earlier run")?;
    let old: Vec<TestCase> = files::read_tests(dir, &before)?;
    let old: Vec<TestCase> = old.into_iter().filter(|test| test.function == loaded.info.function).collect();
    let options = ReplayOptions { jobs: args.jobs.unwrap_or(0), ..ReplayOptions::default() };
    let replayed = reached(report, &loaded.info, &old, &options).context("the tests that are there cannot be run")?;
    let mut since = Since { directory: dir.display().to_string(), ..Since::default() };
    let mut covers: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut kept = Vec::new();
    for (test, (run, reaches)) in old.into_iter().zip(replayed) {
        if !run.passed {
            let why = run.messages.first().cloned().unwrap_or_else(|| format!("it {}", run.end));
            since.failing.push((test.name, why));
            continue;
        }
        for index in reaches {
            covers.entry(index).or_default().push(test.name.clone());
        }
        since.kept.push(test.name.clone());
        kept.push(test);
    }
    if let Some(contradiction) = contradiction(report, &covers) {
        return Ok(Some(contradiction));
    }
    let missed = |(index, _): &(usize, &ObjectiveEntry)| !covers.contains_key(index);
    let known = covered_before(&before);
    for (_, objective) in report.objectives.iter().enumerate().filter(missed) {
        let lost = known.contains(&likeness(objective));
        let list = if lost { &mut since.lost } else { &mut since.new };
        list.push(objective.id.clone());
    }
    combine(report, tests, kept, covers);
    report.since = Some(since);
    Ok(None)
}

fn contradiction(report: &Report, covers: &BTreeMap<usize, Vec<String>>) -> Option<String> {
    covers.iter().find_map(|(index, tests)| {
        let objective = report.objectives.get(*index).filter(|o| o.verdict == "infeasible")?;
        Some(format!("objective {} was proved infeasible, but test {} reaches it", objective.id, tests.first()?))
    })
}

/// What stays the same of an objective when lines move.
fn likeness(o: &ObjectiveEntry) -> (String, String, String, String) {
    (o.criterion.clone(), o.function.clone(), o.text.clone(), o.outcome.clone())
}

fn covered_before(before: &Report) -> BTreeSet<(String, String, String, String)> {
    before.objectives.iter().filter(|o| o.verdict == "covered").map(likeness).collect()
}

/// The tests that are there, then the new ones that are needed, under names that are free.
fn combine(report: &mut Report, tests: &mut Vec<TestCase>, kept: Vec<TestCase>, covers: BTreeMap<usize, Vec<String>>) {
    let mut reached: BTreeSet<usize> = covers.keys().copied().collect();
    let mut taken: BTreeSet<String> = kept.iter().map(|test| test.name.clone()).collect();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut all = kept;
    for mut test in std::mem::take(tests) {
        let own = report.objectives.iter().enumerate().filter(|(_, o)| o.tests.contains(&test.name));
        let own: Vec<usize> = own.map(|(index, _)| index).collect();
        let needed =
            own.iter().any(|index| !reached.contains(index)) || report.defects.iter().any(|d| d.test == test.name);
        if !needed {
            continue;
        }
        reached.extend(own);
        let free = (1..).map(|n| format!("test_{n:03}")).find(|name| !taken.contains(name)).unwrap_or_default();
        taken.insert(free.clone());
        names.insert(std::mem::replace(&mut test.name, free.clone()), free);
        all.push(test);
    }
    for (index, objective) in report.objectives.iter_mut().enumerate() {
        let new = std::mem::take(&mut objective.tests);
        objective.tests = covers.get(&index).cloned().unwrap_or_default();
        objective.tests.extend(new.iter().filter_map(|name| names.get(name).cloned()));
        if objective.verdict == "unknown" && !objective.tests.is_empty() {
            objective.verdict = "covered".into();
            objective.reason = None;
        }
    }
    for defect in &mut report.defects {
        defect.test = names.get(&defect.test).cloned().unwrap_or_default();
    }
    let entry = |test: &TestCase| TestEntry {
        name: test.name.clone(),
        file: files::test_file(&test.name).display().to_string(),
        outcome: test.outcome.clone(),
    };
    report.tests = all.iter().map(entry).collect();
    report.totals = count(report);
    *tests = all;
}

fn count(report: &Report) -> BTreeMap<String, Totals> {
    let mut totals: BTreeMap<String, Totals> = report.totals.keys().map(|k| (k.clone(), Totals::default())).collect();
    for objective in &report.objectives {
        let totals = totals.entry(objective.criterion.clone()).or_default();
        totals.objectives += 1;
        match objective.verdict.as_str() {
            "covered" => totals.covered += 1,
            "infeasible" => totals.infeasible += 1,
            _ => totals.unknown += 1,
        }
    }
    totals
}

/// What the earlier tests no longer do.
pub(crate) fn summary(report: &Report) {
    let Some(since) = &report.since else { return };
    let added = report.tests.len() - since.kept.len();
    anstream::println!("  of {}: {} tests kept, {added} added", since.directory, since.kept.len());
    for (test, why) in &since.failing {
        anstream::println!("  {YELLOW}changed{YELLOW:#} {test} does not pass any more: {why}");
    }
    for (word, ids) in [("lost", &since.lost), ("new", &since.new)] {
        for objective in report.objectives.iter().filter(|o| ids.contains(&o.id) && o.verdict != "infeasible") {
            let now = objective.tests.first().map_or("open".to_owned(), |test| format!("now {test}"));
            anstream::println!(
                "  {YELLOW}{word}{YELLOW:#} {}:{}: {} is {}: {now}",
                shown(Path::new(&objective.file)),
                objective.line,
                objective.text,
                objective.outcome
            );
        }
    }
}
