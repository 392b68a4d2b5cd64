//! Claims against llvm-cov's counts, one by one.
//!
//! A place can have several regions (see [`super::coverage::Taken`]) and several objectives. Which region is which
//! objective's then cannot be said, but they can be counted: with as many regions as objectives or more, every claimed
//! one needs a region of its own. If the report gives the number of the region, there is nothing to count.
//!
//! llvm-cov derives many counts by subtraction. If a run ends inside a call (by `exit`, a trap, a signal), what would have
//! followed it seems to have been reached. So only runs that returned can refute an infeasibility.

use std::collections::{BTreeMap, HashMap};

use covenant_goals::report::ObjectiveEntry;
use covenant_goals::{Outcome, Report, TestCase, TestOutcome, VerdictKind};

use super::coverage::{BranchCount, Place, Places, Taken};
use super::run::{End, TestReplay};
use super::{ReplayResult, Replayed};

/// Traps that a native run with sanitizers always shows.
const VISIBLE: &[&str] = &[
    "null-pointer",
    "division-by-zero",
    "division-overflow",
    "double-free",
    "invalid-free",
    "assertion",
    "abort",
    "trap",
];

/// Objectives of one place and one outcome.
#[derive(Default)]
struct Group<'a> {
    objectives: Vec<&'a ObjectiveEntry>,
}

/// `played`: by an emulator, without sanitizers.
pub(super) fn compare(
    report: &Report,
    tests: &[TestCase],
    places: &Places,
    (replayed, played): (&[Replayed], bool),
) -> ReplayResult {
    let mut result = ReplayResult::default();
    for (test, replayed) in tests.iter().zip(replayed) {
        check_run(test, &replayed.run, played, &mut result);
    }
    let by_name: HashMap<&str, &Replayed> = tests.iter().map(|t| t.name.as_str()).zip(replayed).collect();
    let open: HashMap<&str, &str> =
        tests.iter().filter_map(|test| Some((test.name.as_str(), test.open.as_deref()?))).collect();
    let mut groups: BTreeMap<(&Place, bool), Group<'_>> = BTreeMap::new();
    for (objective, place) in report.objectives.iter().zip(&places.of) {
        check_names(objective, &by_name, &mut result.differences);
        if let Some(place) = place {
            groups.entry((place, objective.outcome != Outcome::False)).or_default().objectives.push(objective);
        }
    }
    let all = total(replayed.iter());
    let calm = total(replayed.iter().filter(|r| r.run.is_calm()));
    for ((place, outcome), group) in &groups {
        for (name, replayed) in &by_name {
            if result.inconclusive.contains_key(*name) {
                continue;
            }
            let mut differences = Vec::new();
            group.check_covered(name, counts(&replayed.seen.taken, place, *outcome), &mut differences);
            match open.get(name).filter(|_| !differences.is_empty()) {
                Some(why) => _ = result.inconclusive.insert((*name).to_owned(), otherwise(why)),
                None => result.differences.extend(differences),
            }
        }
        let certain = matches!(place, Place::Region { .. } | Place::Function { .. });
        // What comes behind a call that does not return is in a region that is counted all the same.
        if !matches!(place, Place::Code { .. }) && places.unjudged.zero_counts() {
            group.check_infeasible(certain, &counts(&calm, place, *outcome), &mut result.differences);
        }
        group.check_open(&counts(&calm, place, *outcome), &mut result.notes);
    }
    result.notes.extend(places.unjudged.notes());
    result.differences.sort();
    result.branches = branches(&groups, &all);
    result
}

/// Why a test that depends on what C leaves open says nothing.
fn otherwise(why: &str) -> String {
    format!("went otherwise, which C leaves open ({why})")
}

/// The outcome and the oracle, which the suite itself judged, and defects that must show.
fn check_run(test: &TestCase, run: &TestReplay, played: bool, result: &mut ReplayResult) {
    if run.is_inconclusive() {
        result.inconclusive.insert(run.name.clone(), run.why_inconclusive());
        return;
    }
    if let Some(why) = test.open.as_ref().filter(|_| !run.passed) {
        result.inconclusive.insert(run.name.clone(), otherwise(why));
        return;
    }
    if let (Some(file), true) = (&test.expected_by, matches!(run.end, End::Returned(_))) {
        let differ = run.messages.iter().map(|message| format!("{file}: {}: {message}", run.name));
        result.unexpected.extend(differ.filter(|_| !run.passed));
        return;
    }
    // Behind the error nothing holds that the run knows of, not even which functions are called.
    let is_behind = |message: &String| message.ends_with("is called, which nothing defines");
    if let Some(trap) = test.trap.as_ref().filter(|trap| trap.function_at_end().is_none())
        && !run.passed
        && !VISIBLE.contains(&trap.kind.as_str())
        && !run.messages.is_empty()
        && run.messages.iter().all(is_behind)
    {
        let what = format!("test {}: the defect ({}) does not show natively; the test goes on", run.name, trap.kind);
        result.notes.push(what);
        return;
    }
    if !run.passed {
        let why = run.messages.iter().chain(&run.sanitizer).cloned().collect::<Vec<_>>().join("; ");
        let why = if why.is_empty() { why } else { format!(": {why}") };
        result.differences.push(format!("test {} is recorded as {}, but it {}{why}", run.name, run.expected, run.end));
        return;
    }
    let quiet = run.sanitizer.is_empty() && matches!(run.end, End::Returned(_) | End::Exited(_));
    if let Some(trap) = test.trap.as_ref().filter(|_| test.outcome == TestOutcome::Trapped && quiet) {
        // Other machines give some quotient, and nothing watches their memory.
        let shows = VISIBLE.contains(&trap.kind.as_str()) && !(played && trap.kind == "division-overflow");
        if let Some(why) = test.open.as_ref().filter(|_| shows || !played) {
            result.inconclusive.insert(run.name.clone(), otherwise(why));
            return;
        }
        let what =
            format!("test {}: the defect ({}) does not show natively; the test {}", run.name, trap.kind, run.end);
        if shows && !trap.library {
            result.differences.push(what);
        } else {
            result.notes.push(what);
        }
    }
    if run.left > 0 {
        let (them, were) = if run.left == 1 { ("a process", "was") } else { ("processes", "were") };
        result.notes.push(format!("test {} left {them} running, which {were} ended with it", run.name));
    }
    if matches!(test.outcome, TestOutcome::Returned | TestOutcome::Exited | TestOutcome::Aborted) {
        result.notes.extend(run.sanitizer.iter().map(|line| format!("test {}: {line}", run.name)));
    }
}

fn check_names(objective: &ObjectiveEntry, tests: &HashMap<&str, &Replayed>, differences: &mut Vec<String>) {
    if objective.verdict != VerdictKind::Covered {
        return;
    }
    if objective.tests.is_empty() && objective.existing.is_none() {
        differences.push(format!("{} is claimed covered, but no test is named", name(objective)));
    }
    for test in objective.tests.iter().filter(|t| !tests.contains_key(t.as_str())) {
        differences.push(format!("{} is claimed covered by test {test}, which is not there", name(objective)));
    }
}

impl Group<'_> {
    fn check_covered(&self, test: &str, counts: Vec<u64>, differences: &mut Vec<String>) {
        let claims = |o: &&&ObjectiveEntry| o.verdict == VerdictKind::Covered && o.tests.iter().any(|t| t == test);
        let claimed: Vec<&&ObjectiveEntry> = self.objectives.iter().filter(claims).collect();
        let reached = counts.iter().filter(|c| **c > 0).count();
        let needed = if counts.len() >= self.objectives.len() { claimed.len() } else { claimed.len().min(1) };
        if reached >= needed {
            return;
        }
        for objective in claimed {
            let what = name(objective);
            differences.push(if counts.is_empty() {
                format!("{what} is claimed covered by test {test}, but llvm-cov has no branch at that place")
            } else if needed > 1 {
                let all = counts.len();
                format!("{what} is claimed covered by test {test}, but the test takes only {reached} of {all} branches there")
            } else {
                format!("{what} is claimed covered by test {test}, but the test does not take it")
            });
        }
    }

    /// `certain`: the place is one region, whatever the number of objectives.
    fn check_infeasible(&self, certain: bool, counts: &[u64], differences: &mut Vec<String>) {
        let infeasible: Vec<_> = self.objectives.iter().filter(|o| o.verdict == VerdictKind::Infeasible).collect();
        let reached = counts.iter().filter(|c| **c > 0).count();
        // Regions that are nobody's (the operand of a sizeof has one) may be counted without being reached.
        let refuted = if certain {
            reached > 0
        } else if counts.len() >= self.objectives.len() {
            reached + infeasible.len() > counts.len()
        } else {
            infeasible.len() == self.objectives.len() && reached > 0
        };
        for objective in infeasible.iter().filter(|_| refuted) {
            let times: u64 = counts.iter().sum();
            differences.push(format!("{} is claimed infeasible, but the tests take it {times} times", name(objective)));
        }
    }

    /// Open objectives that a test takes natively: nothing contradicts itself, but a test was wasted.
    fn check_open(&self, counts: &[u64], notes: &mut Vec<String>) {
        if counts.len() == self.objectives.len() && counts.iter().all(|c| *c > 0) {
            for objective in self.objectives.iter().filter(|o| o.verdict == VerdictKind::Unknown) {
                notes.push(format!("{} is open, but the suite takes it natively", name(objective)));
            }
        }
    }
}

fn name(objective: &ObjectiveEntry) -> String {
    let ObjectiveEntry { file, line, column, text, outcome, .. } = objective;
    let text = if text.is_empty() { String::new() } else { format!(" of `{text}`") };
    format!("{file}:{line}:{column}: {outcome}{text}")
}

/// The counts of one outcome at a place, one for each region.
fn counts(taken: &Taken, place: &Place, outcome: bool) -> Vec<u64> {
    let regions = taken.get(place).map(Vec::as_slice).unwrap_or_default();
    regions.iter().map(|&(yes, no)| if outcome { yes } else { no }).collect()
}

/// The sum of several runs, region by region: one program always lists its regions in one order.
fn total<'a>(runs: impl Iterator<Item = &'a Replayed>) -> Taken {
    let mut sum = Taken::new();
    for run in runs {
        for (place, regions) in &run.seen.taken {
            let into = sum.entry(place.clone()).or_default();
            into.resize(regions.len().max(into.len()), (0, 0));
            for (sum, one) in into.iter_mut().zip(regions) {
                *sum = (sum.0.saturating_add(one.0), sum.1.saturating_add(one.1));
            }
        }
    }
    sum
}

/// Counts for each place of the report, true and false together.
fn branches(groups: &BTreeMap<(&Place, bool), Group<'_>>, all: &Taken) -> Vec<BranchCount> {
    let mut places: BTreeMap<&Place, &ObjectiveEntry> = BTreeMap::new();
    let branches = |place: &Place| matches!(place, Place::Region { .. } | Place::Position { .. });
    for ((place, _), group) in groups.iter().filter(|((place, _), _)| branches(place)) {
        if let Some(objective) = group.objectives.first() {
            places.entry(place).or_insert(objective);
        }
    }
    let sum = |place: &Place, outcome| counts(all, place, outcome).iter().fold(0u64, |a, b| a.saturating_add(*b));
    let count = |(place, objective): (&Place, &ObjectiveEntry)| BranchCount {
        file: objective.file.clone(),
        line: objective.line,
        column: objective.column,
        true_count: sum(place, true),
        false_count: sum(place, false),
    };
    places.into_iter().map(count).collect()
}
