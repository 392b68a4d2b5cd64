//! Which lines of a file a run is about, and which of these no input runs, as far as the verdicts say so.

use std::collections::{BTreeMap, BTreeSet};

use covenant_goals::{Criterion, TestOutcome, VerdictKind};

use crate::run_dir::RunDir;

/// The lines of a file that are proved to be out of reach. Either their statements are, or all branches of the code are
/// decided: then a place that no test comes to lies behind branches that no input takes. That needs tests that all ran to
/// their end; behind a line where a run broke off there may be anything.
pub(crate) fn lines(run: &RunDir, file: &str) -> BTreeSet<u32> {
    let Some(coverage) = &run.lines else { return BTreeSet::new() };
    let unseen = coverage.hits(file).into_iter().filter(|(_, hits)| *hits == 0).map(|(line, _)| line);
    let report = &run.report;
    let branches = || report.objectives.iter().filter(|o| o.criterion == Criterion::Branch);
    let decided = run.report.criteria.contains(&Criterion::Branch)
        && branches().all(|o| o.verdict != VerdictKind::Unknown)
        && branches().any(|o| o.verdict == VerdictKind::Infeasible)
        && report.tests.iter().all(|test| test.outcome == TestOutcome::Returned);
    let known: BTreeSet<&str> = report.objectives.iter().map(|o| o.function.as_str()).collect();
    let is_ours = |line: u32| coverage.function_at(file, line).is_some_and(|name| known.contains(name));
    let statements = |line: u32| {
        let mut here = report
            .objectives
            .iter()
            .filter(|o| o.criterion == Criterion::Statement && o.line == line && o.file == file)
            .peekable();
        here.peek().is_some() && here.all(|o| o.verdict == VerdictKind::Infeasible)
    };
    unseen.filter(|&line| statements(line) || (decided && is_ours(line))).collect()
}

/// The lines with code of the functions under test, and how many tests ran each. A function of the file that has no
/// objective, and that no test ran, is not called by them: the run says nothing about it.
pub(crate) fn concerned(run: &RunDir, file: &str) -> BTreeMap<u32, u32> {
    let Some(coverage) = &run.lines else { return BTreeMap::new() };
    let mut hits = coverage.hits(file);
    let mut known: BTreeSet<&str> = run.report.objectives.iter().map(|o| o.function.as_str()).collect();
    known.extend(hits.iter().filter(|(_, hits)| **hits > 0).filter_map(|(line, _)| coverage.function_at(file, *line)));
    hits.retain(|&line, _| coverage.function_at(file, line).is_none_or(|name| known.contains(name)));
    hits
}

#[cfg(test)]
mod tests {
    use covenant_goals::Criterion::{Branch, Statement};
    use covenant_goals::TestOutcome::{Returned, Trapped};
    use covenant_goals::VerdictKind::{Covered, Infeasible, Unknown};
    use covenant_goals::report::{ObjectiveEntry, TestEntry};

    use super::*;
    use crate::lines::LineCoverage;

    /// `f` has lines 1 to 5, of which 3 is never run, and `other` has lines 7 to 8.
    fn run(verdict: VerdictKind, outcome: TestOutcome, criterion: Criterion) -> RunDir {
        let mut run = RunDir::default();
        let mut lines = LineCoverage::default();
        lines.files.insert("a.c".into(), vec![(1, 5), (7, 8)]);
        lines.functions.insert("a.c".into(), [("f".to_owned(), 1), ("other".to_owned(), 7)].into());
        lines.tests.insert("t".into(), [("a.c".to_owned(), vec![(1, 2), (4, 5)])].into());
        run.lines = Some(lines);
        run.report.criteria = vec![criterion];
        run.report.tests.push(TestEntry { name: "t".into(), outcome, ..TestEntry::default() });
        run.report.objectives.push(ObjectiveEntry {
            criterion,
            function: "f".into(),
            file: "a.c".into(),
            line: if criterion == Criterion::Branch { 2 } else { 3 },
            verdict,
            ..ObjectiveEntry::default()
        });
        run
    }

    #[test]
    fn other_functions_of_the_file_are_not_told_of() {
        let lines: Vec<u32> = concerned(&run(Covered, Returned, Branch), "a.c").into_keys().collect();
        assert_eq!(lines, [1, 2, 3, 4, 5]);
    }

    #[test]
    fn only_what_is_proved() {
        assert_eq!(lines(&run(Infeasible, Returned, Branch), "a.c"), [3].into());
        assert!(lines(&run(Unknown, Returned, Branch), "a.c").is_empty(), "an open branch may lead there");
        assert!(lines(&run(Infeasible, Trapped, Branch), "a.c").is_empty(), "a run broke off");
        assert!(lines(&run(Covered, Returned, Branch), "a.c").is_empty(), "nothing is infeasible");
        assert_eq!(lines(&run(Infeasible, Trapped, Statement), "a.c"), [3].into());
    }
}
