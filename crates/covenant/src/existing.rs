//! A suite that is there stays, and only what it misses is added.
//!
//! The search starts from the inputs of the earlier tests, so it does not look for what they reach. At its end they are
//! compiled with the code as it is now and run; llvm-cov says what each reaches. Those that still pass are kept under their
//! names. Of the new tests only those are taken that reach something more, or show a defect.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use covenant_goals::device::are_like;
use covenant_goals::report::{ObjectiveEntry, Since, TestEntry, Totals};
use covenant_goals::{Criterion, Outcome, Report, TestCase, VerdictKind};
use covenant_report::replay::reached;
use covenant_report::{ReplayOptions, files};

use crate::subject::Loaded;

/// What an earlier run left.
#[derive(Debug)]
pub struct Earlier {
    directory: PathBuf,
    report: Report,
    /// Also of use to the search: it starts from them.
    pub(crate) tests: Vec<TestCase>,
}

impl Earlier {
    /// The run that is in a directory, with its tests of this function. To be read before the directory is written to.
    pub(crate) fn read(dir: &Path, function: &str) -> Result<Earlier> {
        let report = files::read_report(dir).context("there is no earlier run")?;
        let mut tests: Vec<TestCase> = files::read_tests(dir, &report)?;
        // What people expect they say again.
        tests.retain(|test| test.function == function && test.expected_by.is_none());
        Ok(Earlier { directory: dir.to_path_buf(), report, tests })
    }
}

/// What llvm-cov tells of one test; of other criteria the search does, which ran the same inputs.
const NATIVE: &[Criterion] = &[Criterion::Branch, Criterion::Statement, Criterion::Function];

/// Tests by the number of the objective that they reach.
type Covers = BTreeMap<usize, Vec<String>>;

/// Puts the tests that are there before the new ones. `seeded` are the objectives that each reached in the search. Returns
/// what contradicts a proof, if something does.
pub(crate) fn merge(
    options: &ReplayOptions,
    loaded: &Loaded,
    (earlier, seeded): (Earlier, Vec<Vec<String>>),
    report: &mut Report,
    tests: &mut Vec<TestCase>,
) -> Result<Option<String>> {
    let Earlier { directory, report: before, tests: old } = earlier;
    let replayed = reached(report, &loaded.info, &old, options).context("the tests that are there cannot be run")?;
    let numbers: BTreeMap<&str, usize> = report.objectives.iter().zip(0..).map(|(o, n)| (o.id.as_str(), n)).collect();
    let mut seeded = seeded.into_iter();
    let mut since = Since { directory: loaded.info.name(&directory), ..Since::default() };
    let mut covers = Covers::new();
    let mut kept = Vec::new();
    for (test, (run, reaches)) in old.into_iter().zip(replayed) {
        let seen = seeded.next().unwrap_or_default();
        if !run.passed {
            let why = run.messages.first().cloned().unwrap_or_else(|| format!("it {}", run.end));
            since.failing.push((test.name, why));
            continue;
        }
        let seen = seen.iter().filter_map(|id| numbers.get(id.as_str()).copied());
        let seen = seen.filter(|&n| !NATIVE.contains(&report.objectives[n].criterion));
        for index in reaches.into_iter().chain(seen).collect::<BTreeSet<_>>() {
            covers.entry(index).or_default().push(test.name.clone());
        }
        since.kept.push(test.name.clone());
        kept.push(test);
    }
    add_wholes(report, &numbers, &mut covers);
    if let Some(contradiction) = contradiction(report, &covers) {
        return Ok(Some(contradiction));
    }
    let asked = |o: &ObjectiveEntry| report.criteria.contains(&o.criterion);
    let known = covered_before(&before);
    for (index, objective) in report.objectives.iter().enumerate().filter(|(_, o)| asked(o)) {
        if !covers.contains_key(&index) {
            let lost = known.contains(&likeness(objective));
            let list = if lost { &mut since.lost } else { &mut since.new };
            list.push(objective.id.clone());
        }
    }
    combine(report, tests, kept, covers);
    report.since = Some(since);
    Ok(None)
}

/// What is reached by several objectives together is reached by the tests of these.
fn add_wholes(report: &Report, numbers: &BTreeMap<&str, usize>, covers: &mut Covers) {
    for (index, objective) in report.objectives.iter().enumerate() {
        let ways = objective.parts.iter().flatten();
        let tests = ways.filter_map(|parts| {
            let each = parts.iter().map(|id| covers.get(numbers.get(id.as_str())?)?.first().cloned());
            each.collect::<Option<BTreeSet<String>>>()
        });
        if let Some(tests) = tests.min_by_key(BTreeSet::len) {
            covers.insert(index, tests.into_iter().collect());
        }
    }
}

fn contradiction(report: &Report, covers: &BTreeMap<usize, Vec<String>>) -> Option<String> {
    covers.iter().find_map(|(index, tests)| {
        let objective = report.objectives.get(*index).filter(|o| o.verdict == VerdictKind::Infeasible)?;
        Some(format!("objective {} was proved infeasible, but test {} reaches it", objective.id, tests.first()?))
    })
}

/// What stays the same of an objective when lines move: criterion, function, text and outcome.
type Likeness = (Criterion, String, String, Outcome);

fn likeness(o: &ObjectiveEntry) -> Likeness {
    (o.criterion, o.function.clone(), o.text.clone(), o.outcome.clone())
}

fn covered_before(before: &Report) -> HashSet<Likeness> {
    before.objectives.iter().filter(|o| o.verdict == VerdictKind::Covered).map(likeness).collect()
}

/// The tests that are there, then the new ones that are needed, under names that are free.
fn combine(report: &mut Report, tests: &mut Vec<TestCase>, kept: Vec<TestCase>, covers: BTreeMap<usize, Vec<String>>) {
    let mut reached: BTreeSet<usize> = covers.keys().copied().collect();
    let mut taken: BTreeSet<String> = kept.iter().map(|test| test.name.clone()).collect();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut all = kept;
    for mut test in std::mem::take(tests) {
        // The search met a test that is there.
        if let Some(same) = all.iter().find(|old| has_same_inputs(old, &test)) {
            names.insert(test.name, same.name.clone());
            continue;
        }
        // What is made of parts is reached if they are.
        let own =
            report.objectives.iter().enumerate().filter(|(_, o)| o.parts.is_none() && o.tests.contains(&test.name));
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
    let mut covers = covers;
    for (index, objective) in report.objectives.iter().enumerate().filter(|(_, o)| o.parts.is_none()) {
        for name in objective.tests.iter().filter_map(|name| names.get(name)) {
            let tests = covers.entry(index).or_default();
            if !tests.contains(name) {
                tests.push(name.clone());
            }
        }
    }
    let ids: Vec<String> = report.objectives.iter().map(|o| o.id.clone()).collect();
    let numbers = ids.iter().zip(0..).map(|(id, number)| (id.as_str(), number)).collect();
    add_wholes(report, &numbers, &mut covers);
    for (index, objective) in report.objectives.iter_mut().enumerate() {
        objective.tests = covers.remove(&index).unwrap_or_default();
        if objective.verdict == VerdictKind::Unknown && !objective.tests.is_empty() {
            objective.verdict = VerdictKind::Covered;
            (objective.reason, objective.kind) = (None, None);
        }
    }
    for defect in &mut report.defects {
        defect.test = names.get(&defect.test).cloned().unwrap_or_default();
    }
    let entry = |test: &TestCase| TestEntry {
        name: test.name.clone(),
        file: files::test_file(&test.name).display().to_string(),
        outcome: test.outcome,
    };
    report.tests = all.iter().map(entry).collect();
    report.totals = count(report);
    *tests = all;
}

fn has_same_inputs(a: &TestCase, b: &TestCase) -> bool {
    a.objects == b.objects
        && a.cells == b.cells
        && a.calls == b.calls
        && a.failures == b.failures
        && are_like(&a.device, &b.device)
        && a.args == b.args
        && a.stdin == b.stdin
        && (&a.files, &a.env) == (&b.files, &b.env)
}

fn count(report: &Report) -> BTreeMap<Criterion, Totals> {
    let mut totals: BTreeMap<Criterion, Totals> = report.totals.keys().map(|k| (*k, Totals::default())).collect();
    for objective in &report.objectives {
        totals.entry(objective.criterion).or_default().count(objective.verdict);
    }
    totals
}
