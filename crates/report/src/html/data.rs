//! What the script of the page works on. Rows are lists rather than objects where there are many; `state.js` names their
//! columns.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use covenant_goals::report::{Details, ObjectiveEntry, Since};
use covenant_goals::{Criterion, Outcome, ReasonKind, Report, Status, TestOutcome, VerdictKind};
use serde::Serialize;

use super::decisions;
use crate::lines::{Span, spans};
use crate::proof_words::{self, Step};
use crate::readable::{self, Line};
use crate::run_dir::{RunDir, Source};
use crate::{advice, audit, dead};

#[derive(Serialize)]
pub(super) struct Page<'a> {
    function: &'a str,
    version: String,
    strategy: &'a str,
    seed: u64,
    status: Status,
    wall_ms: u64,
    command: String,
    /// The level of a standard, and its demands: the place, the criterion, objectives, covered, infeasible, open, whether it is met.
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<(&'static str, Vec<Demand>)>,
    /// name, objectives, covered, infeasible, open
    criteria: Vec<(Criterion, u32, u32, u32, u32)>,
    files: Vec<File<'a>>,
    functions: Vec<&'a str>,
    /// Words, and what to try.
    reasons: Vec<(&'a str, Vec<&'static str>)>,
    objectives: Vec<Row<'a>>,
    /// What certificates say, by their files.
    proofs: BTreeMap<&'a str, Vec<Step>>,
    tests: Vec<Test<'a>>,
    defects: Vec<Defect<'a>>,
    /// ms, executions, covered, infeasible
    timeline: Vec<(u64, u64, u64, u64)>,
    assumptions: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<Changes<'a>>,
    stats: &'a covenant_goals::report::Stats,
}

type Demand = (&'static str, Criterion, u32, u32, u32, u32, bool);

#[derive(Serialize)]
struct File<'a> {
    name: &'a str,
    text: Option<&'a [String]>,
    changed: bool,
    /// Lines with code, if the tests were replayed.
    code: Option<Vec<Span>>,
    /// Lines that no input runs.
    dead: Vec<Span>,
}

/// file, function, criterion, line, column and length in UTF-16 units, text, outcome, verdict, tests, reason, proof,
/// prover, details
#[derive(Serialize)]
struct Row<'a>(
    usize,
    usize,
    usize,
    u32,
    usize,
    usize,
    &'a str,
    &'a Outcome,
    u8,
    Vec<usize>,
    Option<usize>,
    Option<&'a str>,
    Option<&'a str>,
    Option<Cow<'a, Details>>,
);

#[derive(Serialize)]
struct Test<'a> {
    name: &'a str,
    file: &'a str,
    outcome: TestOutcome,
    inputs: Vec<Line>,
    effects: Vec<Line>,
    /// Objectives that no test before it covers.
    first: Vec<usize>,
    trap: Option<String>,
    /// Lines that ran, by file.
    ran: Vec<(usize, &'a [Span])>,
}

#[derive(Serialize)]
struct Changes<'a> {
    directory: &'a str,
    kept: usize,
    failing: &'a [(String, String)],
    lost: Vec<usize>,
    new: Vec<usize>,
}

#[derive(Serialize)]
struct Defect<'a> {
    kind: &'a str,
    file: Option<usize>,
    line: u32,
    message: &'a str,
    contract: Option<&'a str>,
    test: Option<usize>,
}

/// Numbers for names, in the order of their first use.
#[derive(Default)]
struct Numbers<T> {
    list: Vec<T>,
    of: HashMap<T, usize>,
}

impl<T: Copy + Eq + Hash> Numbers<T> {
    fn get(&mut self, name: T) -> usize {
        *self.of.entry(name).or_insert_with(|| {
            self.list.push(name);
            self.list.len() - 1
        })
    }
}

pub(super) fn page(run: &RunDir) -> Page<'_> {
    let report = &run.report;
    let files: HashMap<&str, usize> = run.sources.keys().enumerate().map(|(i, name)| (name.as_str(), i)).collect();
    let tests: HashMap<&str, usize> = report.tests.iter().enumerate().map(|(i, t)| (t.name.as_str(), i)).collect();
    let (mut functions, mut reasons) = (Numbers::<&str>::default(), Numbers::<(&str, Option<ReasonKind>)>::default());
    let mut criteria = Numbers::<Criterion>::default();
    // In the order in which the user asked for them.
    let asked = report.criteria.iter().filter(|name| report.totals.contains_key(name));
    for criterion in asked.chain(report.totals.keys().filter(|name| run.is_asked_for(**name))) {
        criteria.get(*criterion);
    }
    let mut proofs = BTreeMap::new();
    let mut rows = Vec::new();
    let details = decisions::details(report);
    for o in run.shown_objectives() {
        let (column, length) = extent(o, run.sources.get(&o.file));
        if let Some(file) = &o.proof {
            proofs.entry(file.as_str()).or_insert_with(|| proof_words::steps(&run.dir.join(file)));
        }
        rows.push(Row(
            files.get(o.file.as_str()).copied().unwrap_or(0),
            functions.get(&o.function),
            criteria.get(o.criterion),
            o.line,
            column,
            length,
            &o.text,
            &o.outcome,
            verdict(o.verdict),
            o.tests.iter().filter_map(|t| tests.get(t.as_str()).copied()).collect(),
            o.reason.as_deref().map(|r| reasons.get((r, o.kind))),
            o.proof.as_deref(),
            o.prover.as_deref(),
            o.details.as_deref().map(Cow::Borrowed).or_else(|| details.get(&o.id).cloned().map(Cow::Owned)),
        ));
    }
    Page {
        function: &report.subject.function,
        version: report.tool.version.clone(),
        strategy: &report.strategy,
        seed: report.seed,
        status: report.status,
        wall_ms: report.stats.wall_ms,
        command: run.subject.command.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
        level: report.level.map(|level| (level.title(), demands(report))),
        criteria: totals(run, &criteria),
        files: run.sources.iter().map(|(name, source)| file(run, name, source)).collect(),
        functions: functions.list,
        reasons: reasons.list.into_iter().map(|(reason, kind)| (reason, advice::for_reason(reason, kind))).collect(),
        objectives: rows,
        proofs,
        tests: test_rows(run, &files),
        defects: report
            .defects
            .iter()
            .map(|d| Defect {
                kind: &d.kind,
                file: files.get(d.file.as_str()).copied(),
                line: d.line,
                message: &d.message,
                contract: d.contract.as_deref(),
                test: tests.get(d.test.as_str()).copied(),
            })
            .collect(),
        timeline: report.timeline.iter().map(|m| (m.ms, m.executions, m.covered, m.infeasible)).collect(),
        assumptions: &report.assumptions,
        since: report.since.as_ref().map(|since| changes(run, since)),
        stats: &report.stats,
    }
}

fn demands(report: &Report) -> Vec<Demand> {
    let row = |row: audit::Row| {
        let t = row.totals;
        (row.demand, row.criterion, t.objectives, t.covered, t.infeasible, t.unknown, row.met)
    };
    audit::rows(report).into_iter().map(row).collect()
}

/// A word as a shell reads it.
fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => Cow::Borrowed(word),
        false => Cow::Owned(format!("'{}'", word.replace('\'', "'\\''"))),
    }
}

/// What became of the tests of an earlier run. Objectives are named by their numbers among those that are shown.
fn changes<'a>(run: &'a RunDir, since: &'a Since) -> Changes<'a> {
    let numbers: HashMap<&str, usize> = run.shown_objectives().zip(0..).map(|(o, n)| (o.id.as_str(), n)).collect();
    let numbered = |ids: &'a [String]| ids.iter().filter_map(|id| numbers.get(id.as_str()).copied()).collect();
    Changes {
        directory: &since.directory,
        kept: since.kept.len(),
        failing: &since.failing,
        lost: numbered(&since.lost),
        new: numbered(&since.new),
    }
}

fn totals(run: &RunDir, criteria: &Numbers<Criterion>) -> Vec<(Criterion, u32, u32, u32, u32)> {
    let row = |name: &Criterion| {
        let t = run.report.totals.get(name).copied().unwrap_or_default();
        (*name, t.objectives, t.covered, t.infeasible, t.unknown)
    };
    criteria.list.iter().map(row).collect()
}

fn verdict(verdict: VerdictKind) -> u8 {
    match verdict {
        VerdictKind::Covered => 0,
        VerdictKind::Infeasible => 1,
        VerdictKind::Unknown => 2,
    }
}

fn file<'a>(run: &'a RunDir, name: &str, source: &'a Source) -> File<'a> {
    let code = run.lines.as_ref().map(|_| spans(dead::concerned(run, name).into_keys()));
    let dead = spans(dead::lines(run, name));
    File { name: &source.shown, text: source.text.as_deref(), changed: source.changed, code, dead }
}

/// Column and length of the condition in its line, as the script counts: from 0, in UTF-16 units. The length is 0 if the
/// line does not have the text there, as in a macro or in a file that has changed.
fn extent(o: &ObjectiveEntry, source: Option<&Source>) -> (usize, usize) {
    let column = (o.column as usize).saturating_sub(1);
    let line = source.and_then(|s| s.text.as_ref()?.get((o.line as usize).checked_sub(1)?));
    let Some((before, rest)) = line.and_then(|line| line.split_at_checked(column)) else { return (column, 0) };
    let units = |text: &str| text.encode_utf16().count();
    // A condition over several lines is marked to the end of its first.
    let first = o.text.lines().next().unwrap_or_default();
    let length = if !first.is_empty() && rest.starts_with(first) { units(first) } else { 0 };
    (units(before), length)
}

fn test_rows<'a>(run: &'a RunDir, files: &HashMap<&str, usize>) -> Vec<Test<'a>> {
    let order: HashMap<*const ObjectiveEntry, usize> =
        run.shown_objectives().enumerate().map(|(i, o)| (std::ptr::from_ref(o), i)).collect();
    let purposes = run.purposes();
    let row = |(entry, first): (&'a covenant_goals::report::TestEntry, &Vec<&ObjectiveEntry>)| {
        let case = run.case(&entry.name);
        let ran = run.lines.as_ref().and_then(|lines| lines.tests.get(&entry.name));
        Test {
            name: &entry.name,
            file: &entry.file,
            outcome: entry.outcome,
            inputs: case.map(readable::inputs).unwrap_or_default(),
            effects: case.map(readable::effects).unwrap_or_default(),
            first: first.iter().filter_map(|o| order.get(&std::ptr::from_ref(*o)).copied()).collect(),
            trap: case.and_then(|c| c.trap.as_ref()).map(|t| format!("{} ({})", t.message, t.kind)),
            ran: ran.into_iter().flatten().filter_map(|(f, s)| Some((*files.get(f.as_str())?, s.as_slice()))).collect(),
        }
    };
    run.report.tests.iter().zip(&purposes).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_found_in_their_line() {
        let source = Source { text: Some(vec!["é = a < b && c;".into()]), ..Source::default() };
        let objective =
            |column: u32, text: &str| ObjectiveEntry { line: 1, column, text: text.into(), ..Default::default() };
        // The letter is two bytes for clang and one unit for the script.
        assert_eq!(extent(&objective(6, "a < b"), Some(&source)), (4, 5));
        assert_eq!(extent(&objective(6, "x < b"), Some(&source)), (4, 0));
        assert_eq!(extent(&objective(90, "a"), Some(&source)), (89, 0));
        assert_eq!(extent(&objective(2, "a"), None), (1, 0));
    }
}
