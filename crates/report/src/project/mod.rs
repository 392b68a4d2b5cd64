//! The results of all functions of a project as those of one run: the `report.json` beside them, and what exports are made of.
//!
//! Each objective stands there once. It is covered if a test of any function takes it, and infeasible if the results of its own
//! function prove that: what a caller cannot cause, others may.

mod objectives;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use covenant_goals::report::{Defect, Moment, TestEntry};
use covenant_goals::{Report, Status, TestCase};
use serde::Deserialize;

use crate::against::is_same;
use crate::files::{self, read_json, write_report};
use crate::index::{FILE, FunctionRun};
use crate::lines::{self, LineCoverage, spans};
use crate::run_dir::{RunDir, plain, sources};
use crate::subject::SubjectInfo;
use crate::{Error, root};
use objectives::Objectives;

#[derive(Deserialize)]
struct Listed {
    #[serde(default)]
    project: String,
    functions: Vec<FunctionRun>,
}

/// Whether a directory is that of all functions of a project.
pub fn is_project(dir: &Path) -> bool {
    dir.join(FILE).is_file()
}

/// The functions of a project's directory, as its index lists them.
pub fn functions(dir: &Path) -> Result<Vec<FunctionRun>, Error> {
    Ok(read_json::<Listed>(&dir.join(FILE))?.functions)
}

/// Reads the results of a project, with all that exports are made of.
pub fn read(dir: &Path) -> Result<RunDir, Error> {
    let listed: Listed = read_json(&dir.join(FILE))?;
    let mut whole = unite(dir, &listed.project, &listed.functions);
    whole.report.objectives.iter_mut().filter_map(|o| o.reason.as_mut()).for_each(|reason| *reason = plain(reason));
    let mut lines = Lines::default();
    for (run, subject) in subjects(dir, &listed.functions) {
        let folder = dir.join(&run.folder);
        let mine = Report { tests: files::read_report(&folder)?.tests, ..Report::default() };
        for test in files::read_tests(&folder, &mine)? {
            whole.tests.push(TestCase { name: format!("{}/{}", run.folder, test.name), ..test });
        }
        if let Some(coverage) = lines::read(&folder)? {
            lines.add(run, &coverage, &Names::new(&whole.subject, &subject));
        }
    }
    whole.lines = lines.finish();
    whole.sources = sources(&whole.report, &whole.subject);
    Ok(whole)
}

/// The results of these functions, whose folders are below `dir`, as one report. Of those without results the branches are open.
/// One function is read after the other: of a large project only what is told stays.
pub fn unite(dir: &Path, name: &str, runs: &[FunctionRun]) -> RunDir {
    let parts = subjects(dir, runs);
    let subject = subject(&parts);
    let mut whole = Whole::new(&subject, name);
    for (run, own) in &parts {
        if let Ok(report) = files::read_report(&dir.join(&run.folder)) {
            whole.add(run, &report, &Names::new(&subject, own));
        }
    }
    runs.iter().filter(|run| !run.error.is_empty()).for_each(|run| whole.add_missing(run, &subject));
    let report = whole.finish();
    RunDir { dir: dir.to_path_buf(), report, subject, ..RunDir::default() }
}

/// Writes the project's `report.json`.
pub fn write(whole: &RunDir) -> Result<(), Error> {
    write_report(&whole.dir, &whole.report)
}

/// What those with results are of.
fn subjects<'a>(dir: &Path, runs: &'a [FunctionRun]) -> Vec<(&'a FunctionRun, SubjectInfo)> {
    let with_results = runs.iter().filter(|run| run.error.is_empty());
    with_results.filter_map(|run| Some((run, files::read_subject(&dir.join(&run.folder)).ok()?))).collect()
}

/// The files of all functions, and the root that they share.
fn subject(parts: &[(&FunctionRun, SubjectInfo)]) -> SubjectInfo {
    let mut whole = SubjectInfo::default();
    let mut known = BTreeMap::new();
    for file in parts.iter().flat_map(|(_, part)| &part.files) {
        known.entry(file.absolute()).or_insert(file);
    }
    whole.files = known.values().map(|file| (*file).clone()).collect();
    if let Some((_, first)) = parts.first() {
        whole.working_directory = first.working_directory.clone();
        whole.created = parts.iter().map(|(_, part)| part.created.clone()).max().unwrap_or_default();
    }
    whole.root = root::find(known.keys().map(PathBuf::as_path), &whole.working_directory);
    whole
}

/// What the project calls the files of a function. To find a file is slow, and there are few of them.
struct Names<'a> {
    whole: &'a SubjectInfo,
    part: &'a SubjectInfo,
    known: RefCell<BTreeMap<String, String>>,
}

impl<'a> Names<'a> {
    fn new(whole: &'a SubjectInfo, part: &'a SubjectInfo) -> Names<'a> {
        Names { whole, part, known: RefCell::default() }
    }

    fn get(&self, file: &str) -> String {
        if let Some(name) = self.known.borrow().get(file) {
            return name.clone();
        }
        let name = self.part.place(file).map_or_else(|| file.to_owned(), |path| self.whole.name(&path));
        self.known.borrow_mut().insert(file.to_owned(), name.clone());
        name
    }
}

/// The report of all, while it is put together.
#[derive(Default)]
struct Whole {
    report: Report,
    objectives: Objectives,
    /// By place and kind; whether its own function found it.
    defects: BTreeMap<(String, u32, u32, String), (bool, Defect)>,
    /// Each with the functions that it is about, in the order of their first.
    assumptions: Vec<(String, Vec<String>)>,
    parts: usize,
}

impl Whole {
    fn new(subject: &SubjectInfo, name: &str) -> Whole {
        let mut whole = Whole::default();
        whole.report.schema = covenant_goals::report::SCHEMA;
        whole.report.subject.function = name.to_owned();
        whole.report.subject.files = subject.files.iter().map(|file| subject.name(&file.absolute())).collect();
        whole
    }

    fn add(&mut self, run: &FunctionRun, mine: &Report, names: &Names<'_>) {
        let whole = &mut self.report;
        if self.parts == 0 {
            whole.tool = mine.tool.clone();
            (whole.strategy, whole.seed) = (mine.strategy.clone(), mine.seed);
            (whole.mcdc, whole.level) = (mine.mcdc, mine.level);
        }
        self.parts += 1;
        add_new(&mut whole.criteria, &mine.criteria);
        add_new(&mut whole.measured, &mine.measured);
        add_new(&mut whole.subject.flags, &mine.subject.flags);
        whole.status = worse(whole.status, mine.status);
        whole.tests.extend(mine.tests.iter().map(|test| TestEntry {
            name: format!("{}/{}", run.folder, test.name),
            file: format!("{}/{}", run.folder, test.file),
            outcome: test.outcome,
        }));
        add_stats(whole, mine);
        self.objectives.add(run, mine, &|file| names.get(file));
        mine.defects.iter().for_each(|defect| self.add_defect(run, defect, names));
        for words in &mine.assumptions {
            match self.assumptions.iter_mut().find(|(known, _)| known == words) {
                Some((_, functions)) => functions.push(run.name.clone()),
                None => self.assumptions.push((words.clone(), vec![run.name.clone()])),
            }
        }
    }

    /// Several functions may meet the same: what is no contract says more than what is one, and its own function more than another.
    fn add_defect(&mut self, run: &FunctionRun, defect: &Defect, names: &Names<'_>) {
        let file = names.get(&defect.file);
        let own = is_same(Path::new(&run.file), &file);
        let key = (file.clone(), defect.line, defect.column, defect.kind.clone());
        let rank = (defect.contract.is_none(), own);
        if self.defects.get(&key).is_none_or(|(own, known)| rank > (known.contract.is_none(), *own)) {
            let test = format!("{}/{}", run.folder, defect.test);
            self.defects.insert(key, (own, Defect { file, test, ..defect.clone() }));
        }
    }

    fn add_missing(&mut self, run: &FunctionRun, subject: &SubjectInfo) {
        let criteria = &mut self.report.criteria;
        if criteria.is_empty() {
            add_new(criteria, &run.open.iter().map(|o| o.criterion).collect::<Vec<_>>());
        }
        let open = run.open.iter().filter(|o| criteria.contains(&o.criterion)).cloned().collect();
        let name = |file: &str| subject.name(&subject.root.join(file));
        self.objectives.add(run, &Report { objectives: open, ..Report::default() }, &name);
    }

    fn finish(self) -> Report {
        let Whole { mut report, objectives, defects, assumptions, parts } = self;
        report.assumptions = assumptions.into_iter().map(|(words, names)| about(&words, &names, parts)).collect();
        report.measured.retain(|criterion| !report.criteria.contains(criterion));
        report.defects = defects.into_values().map(|(_, defect)| defect).collect();
        report.objectives = objectives.all();
        for name in report.criteria.iter().chain(&report.measured) {
            report.totals.entry(*name).or_default();
        }
        for o in &report.objectives {
            report.totals.entry(o.criterion).or_default().count(o.verdict);
        }
        report
    }
}

/// What is assumed of all functions stands alone; other assumptions name theirs.
fn about(words: &str, names: &[String], all: usize) -> String {
    const MOST: usize = 5; // not tuning: how much is told
    if names.len() == all {
        return words.to_owned();
    }
    let more = names.len().saturating_sub(MOST);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{more}: {words}", names[..names.len().min(MOST)].join(", "))
}

fn add_new<T: Clone + PartialEq>(all: &mut Vec<T>, more: &[T]) {
    for one in more {
        if !all.contains(one) {
            all.push(one.clone());
        }
    }
}

fn worse(a: Status, b: Status) -> Status {
    let rank = |status: Status| match status {
        Status::Complete => 0,
        Status::Limit => 1,
        Status::Timeout => 2,
        Status::Interrupted => 3,
    };
    if rank(b) > rank(a) { b } else { a }
}

/// Functions are searched one after the other or side by side: times are added, peaks are not.
fn add_stats(whole: &mut Report, part: &Report) {
    let (stats, more) = (&mut whole.stats, &part.stats);
    stats.add(more);
    stats.wall_ms += more.wall_ms;
    stats.tests += more.tests;
    stats.search_us += more.search_us;
    stats.model_nodes_peak = stats.model_nodes_peak.max(more.model_nodes_peak);
    stats.predicate_peak = stats.predicate_peak.max(more.predicate_peak);
    stats.peak_rss_bytes = stats.peak_rss_bytes.max(more.peak_rss_bytes);
    let last = whole.timeline.last().copied().unwrap_or_default();
    whole.timeline.extend(part.timeline.last().map(|end| Moment {
        ms: last.ms + end.ms,
        executions: last.executions + end.executions,
        covered: last.covered + end.covered,
        infeasible: last.infeasible + end.infeasible,
    }));
}

/// The lines that tests of all functions ran.
#[derive(Default)]
struct Lines {
    whole: LineCoverage,
    code: BTreeMap<String, BTreeSet<u32>>,
}

impl Lines {
    fn add(&mut self, run: &FunctionRun, lines: &LineCoverage, names: &Names<'_>) {
        for (file, spans) in &lines.files {
            let lines = spans.iter().flat_map(|&(first, last)| first..=last);
            self.code.entry(names.get(file)).or_default().extend(lines);
        }
        for (file, functions) in &lines.functions {
            self.whole.functions.entry(names.get(file)).or_default().extend(functions.clone());
        }
        for (test, files) in &lines.tests {
            let files = files.iter().map(|(file, spans)| (names.get(file), spans.clone())).collect();
            self.whole.tests.insert(format!("{}/{test}", run.folder), files);
        }
    }

    /// `None` if no test was replayed.
    fn finish(self) -> Option<LineCoverage> {
        let Lines { mut whole, code } = self;
        whole.files = code.into_iter().map(|(file, lines)| (file, spans(lines))).collect();
        (!whole.files.is_empty()).then_some(whole)
    }
}

#[cfg(test)]
mod tests;
