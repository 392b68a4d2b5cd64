//! The results of several functions held against each other.
//!
//! That a branch of a function is infeasible in the function's own results is said of every input that C allows. So a test of
//! another function that takes the branch, by calling the first, refutes it, whatever the test is. Not so where the user's own
//! assumptions about the first function are part of the proof: another function need not keep them.

use std::collections::BTreeMap;
use std::path::Path;

use covenant_goals::report::ObjectiveEntry;
use covenant_goals::{Report, VerdictKind};
use serde::{Deserialize, Serialize};

use crate::run_dir::says;

/// Two results that cannot both be right: a bug of ours, exit code 3.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Clash {
    /// The objective's name.
    pub objective: String,
    /// Where it is: `file.c:12:9`.
    pub place: String,
    /// What is said to be impossible, as the source has it.
    pub says: String,
    /// The function whose own results call it infeasible.
    pub function: String,
    /// Who proved that.
    pub prover: String,
    /// The function one of whose tests takes it.
    pub other: String,
    /// The test.
    pub test: String,
}

impl std::fmt::Display for Clash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Clash { objective, place, says, function, prover, other, test } = self;
        write!(
            f,
            "{place}: `{says}` ({objective}) is infeasible in the results of `{function}`, by {prover}, but {test} of \
             `{other}` takes it"
        )
    }
}

/// What an objective is, in whatever report it stands: places of two files or functions of one name differ.
type Key = (String, String, String, String, Option<u32>, String);

#[derive(Debug, Default)]
struct Seen {
    /// The function, who proved it, what it says and where.
    infeasible: Option<(String, String, String, String)>,
    /// Functions and tests that take it, the first of each function.
    covered: Vec<(String, String)>,
    /// In which results it is the function's own, and open: their number in the order in which they were added.
    open: Option<usize>,
}

/// The results of functions, one after the other.
#[derive(Debug, Default)]
pub struct Against {
    seen: BTreeMap<Key, Seen>,
    added: usize,
}

impl Against {
    /// Adds what a function's results say. `file` is the one that defines it.
    pub fn add(&mut self, report: &Report, file: &Path) {
        let function = &report.subject.function;
        self.added += 1;
        for o in report.objectives.iter().chain(&report.passing) {
            let Some(unit) = unit(report, o) else { continue };
            let is_own = o.function == *function && (!unit.is_empty() || is_same(file, &o.file));
            match o.verdict {
                VerdictKind::Infeasible if is_own && o.rests_on.is_empty() => {
                    let prover = o.prover.clone().unwrap_or_default();
                    let place = format!("{}:{}:{}", o.file, o.line, o.column);
                    self.at(o, unit).infeasible = Some((function.clone(), prover, says(o), place));
                }
                VerdictKind::Covered if o.function != *function => {
                    let test = o.tests.first().cloned().unwrap_or_default();
                    self.at(o, unit).covered.push((function.clone(), test));
                }
                VerdictKind::Unknown if is_own && report.criteria.contains(&o.criterion) => {
                    self.at(o, unit).open = Some(self.added - 1);
                }
                _ => {}
            }
        }
    }

    /// For each of the results, in the order in which they were added: how many of the function's own objectives are open there
    /// and taken by a test of another function.
    pub fn elsewhere(&self) -> Vec<u32> {
        let mut counts = vec![0; self.added];
        for seen in self.seen.values().filter(|seen| !seen.covered.is_empty()) {
            if let Some(count) = seen.open.and_then(|at| counts.get_mut(at)) {
                *count += 1;
            }
        }
        counts
    }

    fn at(&mut self, o: &ObjectiveEntry, unit: String) -> &mut Seen {
        let file = format!("{}\n{unit}", o.file);
        let key = (o.id.clone(), o.criterion.to_string(), file, o.text.clone(), o.region, o.outcome.to_string());
        self.seen.entry(key).or_default()
    }

    /// What cannot be.
    pub fn clashes(&self) -> Vec<Clash> {
        let mut clashes = Vec::new();
        for ((objective, ..), seen) in &self.seen {
            let (Some((function, prover, says, place)), Some((other, test))) = (&seen.infeasible, seen.covered.first())
            else {
                continue;
            };
            clashes.push(Clash {
                objective: objective.clone(),
                place: place.clone(),
                says: says.clone(),
                function: function.clone(),
                prover: prover.clone(),
                other: other.clone(),
                test: test.clone(),
            });
        }
        clashes
    }
}

/// For code of a header, the file that includes it, as another may make something else of it; `None` where that is not known.
/// Code of one of the files themselves needs nothing beside its place.
fn unit(report: &Report, o: &ObjectiveEntry) -> Option<String> {
    let files = &report.subject.files;
    if files.iter().any(|file| is_same(Path::new(file), &o.file)) {
        return Some(String::new());
    }
    match &files[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// Whether two names may be those of one file, one of them being relative.
pub fn is_same(file: &Path, shown: &str) -> bool {
    let shown = Path::new(shown.trim_start_matches("./"));
    file.ends_with(shown) || shown.ends_with(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use covenant_goals::{Criterion, Outcome};

    fn report(function: &str, verdict: VerdictKind, rests_on: &[&str]) -> Report {
        let mut report = Report::default();
        report.subject.function = function.to_owned();
        report.subject.files = vec!["src/low.c".to_owned(), "src/high.c".to_owned()];
        report.objectives.push(ObjectiveEntry {
            id: "low:3:9:true".into(),
            criterion: Criterion::Branch,
            function: "low".into(),
            file: "src/low.c".into(),
            line: 3,
            column: 9,
            text: "x > 7".into(),
            outcome: Outcome::True,
            verdict,
            tests: if verdict == VerdictKind::Covered { vec!["test_002".into()] } else { Vec::new() },
            prover: (verdict == VerdictKind::Infeasible).then(|| "arc".to_owned()),
            rests_on: rests_on.iter().map(|&words| words.to_owned()).collect(),
            region: Some(0),
            ..ObjectiveEntry::default()
        });
        report
    }

    fn clashes(reports: &[Report]) -> Vec<String> {
        let mut against = Against::default();
        reports.iter().for_each(|report| against.add(report, Path::new("project/src/low.c")));
        against.clashes().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_test_of_a_caller_refutes_a_proof() {
        let (own, caller) = (report("low", VerdictKind::Infeasible, &[]), report("high", VerdictKind::Covered, &[]));
        let expected = "src/low.c:3:9: `x > 7 is true` (low:3:9:true) is infeasible in the results of `low`, by arc, but \
                        test_002 of `high` takes it";
        assert_eq!(clashes(&[own.clone(), caller.clone()]), [expected]);
        assert_eq!(clashes(&[caller.clone(), own.clone()]), [expected], "in whatever order");
        let mut moved = caller;
        moved.objectives[0].file = "other/low.c".into();
        assert!(clashes(&[own, moved]).is_empty(), "a function of the same name");
    }

    #[test]
    fn code_of_a_header_is_that_of_the_file_that_includes_it() {
        let in_header = |function: &str, verdict, files: &[&str]| {
            let mut report = report(function, verdict, &[]);
            report.objectives[0].file = "src/low.h".into();
            report.subject.files = files.iter().map(|&file| file.to_owned()).collect();
            report
        };
        let own = in_header("low", VerdictKind::Infeasible, &["src/low.c"]);
        let same = in_header("high", VerdictKind::Covered, &["src/low.c"]);
        let other = in_header("high", VerdictKind::Covered, &["src/high.c"]);
        let both = in_header("high", VerdictKind::Covered, &["src/high.c", "src/low.c"]);
        assert_eq!(clashes(&[own.clone(), same]).len(), 1);
        assert!(clashes(&[own.clone(), other]).is_empty() && clashes(&[own, both]).is_empty());
    }

    #[test]
    fn what_is_open_and_taken_by_a_caller_is_counted() {
        let mut against = Against::default();
        let mut own = report("low", VerdictKind::Unknown, &[]);
        own.criteria.push(Criterion::Branch);
        let mut caller = report("high", VerdictKind::Covered, &[]);
        caller.passing = std::mem::take(&mut caller.objectives);
        for report in [&caller, &own, &own] {
            against.add(report, Path::new("project/src/low.c"));
        }
        assert_eq!(against.elsewhere(), [0, 0, 1], "once, though two results have it");
        let mut alone = Against::default();
        alone.add(&own, Path::new("project/src/low.c"));
        assert_eq!(alone.elsewhere(), [0]);
    }

    #[test]
    fn what_holds_for_some_callers_only_is_no_contradiction() {
        // In the caller's results the helper gets what the caller passes.
        let helper = [report("high", VerdictKind::Infeasible, &[]), report("low", VerdictKind::Covered, &[])];
        assert!(clashes(&helper).is_empty());
        let assumed = ["assumed on entry: x < 3"];
        let own = report("low", VerdictKind::Infeasible, &assumed);
        assert!(clashes(&[own, report("high", VerdictKind::Covered, &[])]).is_empty());
        assert!(
            clashes(&[report("low", VerdictKind::Unknown, &[]), report("high", VerdictKind::Covered, &[])]).is_empty()
        );
    }
}
