//! What formats of coverage need: lines and branches of a file with how many tests ran them.

use std::collections::{BTreeMap, BTreeSet};

use covenant_goals::report::ObjectiveEntry;
use covenant_goals::{Criterion, VerdictKind};

use super::ExportOptions;
use crate::dead;
use crate::run_dir::RunDir;

pub(super) struct FileFacts<'a> {
    /// Absolute if the file was found.
    pub(super) path: String,
    /// For people and for formats that want names relative to a base.
    pub(super) shown: &'a str,
    pub(super) functions: Vec<FunctionFacts<'a>>,
    /// How many tests ran each line with code. Without a replay only lines with branches are known.
    pub(super) lines: BTreeMap<u32, u64>,
    /// By line, the conditions there.
    pub(super) branches: BTreeMap<u32, Vec<Condition<'a>>>,
}

pub(super) struct FunctionFacts<'a> {
    pub(super) name: &'a str,
    pub(super) line: u32,
    pub(super) hits: u64,
}

/// The outcomes of one condition, each with the number of tests that took it.
#[derive(Default)]
pub(super) struct Condition<'a> {
    pub(super) outcomes: Vec<(&'a ObjectiveEntry, u64)>,
}

impl Condition<'_> {
    /// Whether any test evaluated it.
    pub(super) fn evaluated(&self) -> bool {
        self.outcomes.iter().any(|(_, hits)| *hits > 0)
    }

    pub(super) fn covered(&self) -> usize {
        self.outcomes.iter().filter(|(_, hits)| *hits > 0).count()
    }
}

impl FileFacts<'_> {
    pub(super) fn branches_all(&self) -> usize {
        self.branches.values().flatten().map(|c| c.outcomes.len()).sum()
    }

    pub(super) fn branches_hit(&self) -> usize {
        self.branches.values().flatten().map(Condition::covered).sum()
    }

    pub(super) fn lines_hit(&self) -> usize {
        self.lines.values().filter(|hits| **hits > 0).count()
    }
}

pub(super) fn files<'a>(run: &'a RunDir, options: &ExportOptions) -> Vec<FileFacts<'a>> {
    let facts = |(name, source): (&'a String, &'a crate::run_dir::Source)| {
        let path = source.path.as_ref().map_or_else(|| name.clone(), |path| path.display().to_string());
        let own: Vec<&ObjectiveEntry> = run.report.objectives.iter().filter(|o| o.file == *name).collect();
        let branches = branches(&own, options);
        let mut lines = lines(run, name, &own);
        if options.exclude_infeasible {
            dead::lines(run, name).iter().for_each(|line| {
                lines.remove(line);
            });
        }
        let functions = functions(run, name, &own, &lines);
        FileFacts { path, shown: &source.shown, functions, lines, branches }
    };
    run.sources.iter().map(facts).filter(|f| !f.lines.is_empty() || !f.branches.is_empty()).collect()
}

fn branches<'a>(own: &[&'a ObjectiveEntry], options: &ExportOptions) -> BTreeMap<u32, Vec<Condition<'a>>> {
    let mut conditions: BTreeMap<(u32, u32, Option<u32>, &str), Condition<'a>> = BTreeMap::new();
    let counts = |o: &&&ObjectiveEntry| {
        o.criterion == Criterion::Branch && !(options.exclude_infeasible && o.verdict == VerdictKind::Infeasible)
    };
    for o in own.iter().filter(counts) {
        let key = (o.line, o.column, o.region, o.function.as_str());
        conditions.entry(key).or_default().outcomes.push((o, o.tests.len() as u64));
    }
    let mut lines: BTreeMap<u32, Vec<Condition<'a>>> = BTreeMap::new();
    for ((line, ..), condition) in conditions {
        lines.entry(line).or_default().push(condition);
    }
    lines
}

fn lines(run: &RunDir, file: &str, own: &[&ObjectiveEntry]) -> BTreeMap<u32, u64> {
    if run.lines.is_some() {
        return dead::concerned(run, file).into_iter().map(|(line, hits)| (line, u64::from(hits))).collect();
    }
    let mut tests: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
    for o in own {
        tests.entry(o.line).or_default().extend(o.tests.iter().map(String::as_str));
    }
    tests.into_iter().map(|(line, tests)| (line, tests.len() as u64)).collect()
}

fn functions<'a>(
    run: &'a RunDir,
    file: &str,
    own: &[&'a ObjectiveEntry],
    lines: &BTreeMap<u32, u64>,
) -> Vec<FunctionFacts<'a>> {
    let known = run.lines.as_ref().and_then(|lines| lines.functions.get(file));
    let mut starts: BTreeMap<&str, u32> = BTreeMap::new();
    for o in own {
        let known = known.and_then(|known| known.get(&o.function)).copied();
        let start = starts.entry(&o.function).or_insert(known.unwrap_or(o.line));
        *start = known.unwrap_or((*start).min(o.line));
    }
    // Functions without an objective count where tests ran them.
    for (name, start) in known.into_iter().flatten().filter(|(_, start)| lines.contains_key(start)) {
        starts.entry(name).or_insert(*start);
    }
    let mut list: Vec<FunctionFacts<'a>> = starts
        .into_iter()
        .map(|(name, line)| FunctionFacts { name, line, hits: lines.get(&line).copied().unwrap_or(0) })
        .collect();
    list.sort_by_key(|f| f.line);
    list
}

#[cfg(test)]
pub(super) mod tests {
    use covenant_goals::report::{Defect, TestEntry, Totals};
    use covenant_goals::test_case::TrapNote;
    use covenant_goals::{Outcome, Report, Status, TestCase, TestOutcome};

    use super::*;
    use crate::run_dir::Source;

    fn objective(line: u32, outcome: Outcome, verdict: VerdictKind, tests: &[&str]) -> ObjectiveEntry {
        ObjectiveEntry {
            id: format!("f:{line}:5:{outcome}"),
            criterion: Criterion::Branch,
            function: "f".into(),
            file: "dir/a.c".into(),
            line,
            column: 5,
            text: "x < \"1\", y".into(),
            outcome,
            verdict,
            tests: tests.iter().map(|t| (*t).to_owned()).collect(),
            reason: (verdict != VerdictKind::Covered).then(|| "because of <this> & that".into()),
            region: Some(line),
            ..ObjectiveEntry::default()
        }
    }

    /// Two conditions: one with both outcomes, one of which is infeasible, and one that is open and never evaluated.
    pub(in crate::export) fn small() -> RunDir {
        let mut report = Report { schema: 1, status: Status::Timeout, ..Report::default() };
        report.subject.function = "f".into();
        report.objectives = vec![
            objective(2, Outcome::True, VerdictKind::Covered, &["t1", "t2"]),
            objective(2, Outcome::False, VerdictKind::Infeasible, &[]),
            objective(4, Outcome::True, VerdictKind::Unknown, &[]),
            objective(4, Outcome::False, VerdictKind::Unknown, &[]),
        ];
        report.totals.insert(Criterion::Branch, Totals { objectives: 4, covered: 1, infeasible: 1, unknown: 2 });
        let entry = |name: &str, outcome: TestOutcome| TestEntry {
            name: name.into(),
            file: format!("tests/{name}.json"),
            outcome,
        };
        report.tests = vec![entry("t1", TestOutcome::Returned), entry("t2", TestOutcome::Trapped)];
        report.defects.push(Defect {
            kind: "null-pointer".into(),
            file: "dir/a.c".into(),
            line: 3,
            column: 9,
            message: "read through NULL".into(),
            test: "t2".into(),
            ..Defect::default()
        });
        let text = "int f(int x)\n{\n  if (x) \\\n    y();\n}\n".lines().map(str::to_owned).collect();
        let source = Source { shown: "a.c".into(), path: None, text: Some(text), changed: false };
        let trap = TrapNote {
            kind: "null-pointer".into(),
            message: "read through NULL".into(),
            file: "dir/a.c".into(),
            line: 3,
            column: 9,
            library: false,
        };
        let tests = vec![
            TestCase { name: "t1".into(), outcome: TestOutcome::Returned, ..TestCase::default() },
            TestCase { name: "t2".into(), outcome: TestOutcome::Trapped, trap: Some(trap), ..TestCase::default() },
        ];
        RunDir { report, tests, sources: [("dir/a.c".to_owned(), source)].into(), ..RunDir::default() }
    }

    #[test]
    fn conditions_are_counted_by_tests() {
        let run = small();
        let all = files(&run, &ExportOptions::default());
        assert_eq!((all[0].branches_all(), all[0].branches_hit(), all[0].lines_hit()), (4, 1, 1));
        let without = files(&run, &ExportOptions { exclude_infeasible: true });
        assert_eq!((without[0].branches_all(), without[0].branches_hit()), (3, 1));
    }
}
