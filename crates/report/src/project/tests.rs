use covenant_goals::report::{ObjectiveEntry, TestEntry};
use covenant_goals::{Criterion, Outcome, TestCase, TestOutcome, VerdictKind};

use super::*;
use crate::files::{write_subject, write_tests};
use crate::index::Index;
use crate::subject::SubjectFile;

fn objective(function: &str, file: &str, line: u32, verdict: VerdictKind) -> ObjectiveEntry {
    ObjectiveEntry {
        id: format!("{function}:{line}:5:true"),
        criterion: Criterion::Branch,
        function: function.into(),
        file: file.into(),
        line,
        column: 5,
        text: "x".into(),
        outcome: Outcome::True,
        verdict,
        tests: if verdict == VerdictKind::Covered { vec!["test_001".into()] } else { Vec::new() },
        region: Some(0),
        ..ObjectiveEntry::default()
    }
}

/// A project of two files, with the results of a function.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Home {
        let home = tempfile::tempdir().unwrap();
        for name in ["src/low.c", "src/high.c", "covenant.toml"] {
            let path = home.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        Home(home)
    }

    fn out(&self) -> PathBuf {
        self.0.path().join("out")
    }

    fn add(&self, name: &str, objectives: Vec<ObjectiveEntry>, passing: Vec<ObjectiveEntry>) -> FunctionRun {
        let dir = self.out().join(name);
        let root = self.0.path().canonicalize().unwrap();
        let file =
            |name: &str| SubjectFile { path: root.join(name), directory: root.clone(), ..SubjectFile::default() };
        let files = vec![file("src/low.c"), file("src/high.c")];
        let subject = SubjectInfo { files, function: name.into(), root, ..SubjectInfo::default() };
        write_subject(&dir, &subject).unwrap();
        let tests = [TestCase { name: "test_001".into(), outcome: TestOutcome::Returned, ..TestCase::default() }];
        write_tests(&dir, &tests).unwrap();
        let mut report =
            Report { schema: 1, criteria: vec![Criterion::Branch], objectives, passing, ..Report::default() };
        report.subject.function = name.into();
        report.assumptions = vec!["memory is large".into(), format!("x of {name} is small")];
        report.tests.push(TestEntry {
            name: "test_001".into(),
            file: "tests/test_001.json".into(),
            outcome: TestOutcome::Returned,
        });
        report.defects.push(Defect { kind: "null".into(), file: "src/low.c".into(), line: 7, ..Defect::default() });
        write_report(&dir, &report).unwrap();
        FunctionRun { name: name.into(), folder: name.into(), file: format!("src/{name}.c"), ..FunctionRun::default() }
    }
}

fn verdicts(whole: &RunDir) -> Vec<(String, VerdictKind, Vec<String>)> {
    whole.report.objectives.iter().map(|o| (o.id.clone(), o.verdict, o.tests.clone())).collect()
}

#[test]
fn each_objective_counts_once_and_tests_of_all_functions_count() {
    use VerdictKind::{Covered, Infeasible, Unknown};
    let home = Home::new();
    let low = |line, verdict| objective("low", "src/low.c", line, verdict);
    let runs = [
        home.add("high", vec![objective("high", "src/high.c", 3, Covered)], vec![low(1, Covered), low(2, Covered)]),
        home.add("low", vec![low(1, Unknown), low(2, Covered), low(4, Infeasible), low(5, Unknown)], Vec::new()),
    ];
    Index { functions: &runs, ..Index::default() }.write(&home.out()).unwrap();
    let whole = read(&home.out()).unwrap();
    let tests = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        verdicts(&whole),
        [
            ("high:3:5:true".to_owned(), Covered, tests(&["high/test_001"])),
            ("low:1:5:true".to_owned(), Covered, tests(&["high/test_001"])),
            ("low:2:5:true".to_owned(), Covered, tests(&["low/test_001", "high/test_001"])),
            ("low:4:5:true".to_owned(), Infeasible, tests(&[])),
            ("low:5:5:true".to_owned(), Unknown, tests(&[])),
        ]
    );
    let totals = whole.report.totals[&Criterion::Branch];
    assert_eq!((totals.objectives, totals.covered, totals.infeasible, totals.unknown), (5, 3, 1, 1));
    assert_eq!(whole.report.defects.len(), 1, "both met the same");
    assert_eq!(
        whole.report.assumptions,
        ["memory is large", "high: x of high is small", "low: x of low is small"],
        "what is so for all stands once"
    );
    assert_eq!(whole.case("low/test_001").map(|case| case.outcome), Some(TestOutcome::Returned));
    assert_eq!(whole.shown("src/low.c"), "src/low.c");
}

#[test]
fn what_one_caller_cannot_reach_is_no_proof() {
    use VerdictKind::{Infeasible, Unknown};
    let home = Home::new();
    let runs = [home.add("high", vec![objective("low", "src/low.c", 1, Infeasible)], Vec::new())];
    let whole = unite(&home.out(), "", &runs);
    let only = &whole.report.objectives[0];
    assert_eq!((only.verdict, whole.report.totals[&Criterion::Branch].unknown), (Unknown, 1));
    assert_eq!(only.reason.as_deref(), Some("`high` cannot reach it, and `low` has no results of its own"));
    // Its own results say more, in whatever order they come.
    let own = home.add("low", vec![objective("low", "src/low.c", 1, Infeasible)], Vec::new());
    for runs in [[runs[0].clone(), own.clone()], [own.clone(), runs[0].clone()]] {
        let whole = unite(&home.out(), "", &runs);
        assert_eq!(verdicts(&whole), [("low:1:5:true".to_owned(), Infeasible, Vec::new())]);
    }
}

#[test]
fn objectives_of_one_name_in_two_files_are_two() {
    use VerdictKind::Covered;
    let home = Home::new();
    let same = |file: &str| objective("part", file, 1, Covered);
    let runs =
        [home.add("low", vec![same("src/low.c")], Vec::new()), home.add("high", vec![same("src/high.c")], Vec::new())];
    let whole = unite(&home.out(), "", &runs);
    let ids: Vec<&str> = whole.report.objectives.iter().map(|o| o.id.as_str()).collect();
    assert_eq!(ids, ["src/low.c:part:1:5:true", "src/high.c:part:1:5:true"]);
}
