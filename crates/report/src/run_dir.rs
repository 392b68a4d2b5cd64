//! All that an output directory holds, read once for the reports and exports that are made from it.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use covenant_goals::report::ObjectiveEntry;
use covenant_goals::{Criterion, Outcome, Report, TestCase, VerdictKind};

use crate::lines::{self, LineCoverage};
use crate::root::shared;
use crate::subject::{SubjectInfo, sha256};
use crate::{Error, files};

/// An output directory, read.
#[derive(Debug, Default)]
pub struct RunDir {
    /// Where it is.
    pub dir: PathBuf,
    /// Its report.json.
    pub report: Report,
    /// In the order of the report.
    pub tests: Vec<TestCase>,
    /// Its subject.json.
    pub subject: SubjectInfo,
    /// Only if the tests were replayed.
    pub lines: Option<LineCoverage>,
    /// The files with objectives, by the report's names for them.
    pub sources: BTreeMap<String, Source>,
}

/// A file of the code under test.
#[derive(Debug, Default)]
pub struct Source {
    /// For people: relative to where Covenant was called, or to the directory that all files share.
    pub shown: String,
    /// Absolute, if it was found.
    pub path: Option<PathBuf>,
    /// `None` if the file cannot be read.
    pub text: Option<Vec<String>>,
    /// The file is not what it was in the run.
    pub changed: bool,
}

impl RunDir {
    /// Reads all that is there.
    pub fn read(dir: &Path) -> Result<RunDir, Error> {
        let mut report = files::read_report(dir)?;
        report.objectives.iter_mut().filter_map(|o| o.reason.as_mut()).for_each(|reason| *reason = plain(reason));
        let tests = files::read_tests(dir, &report)?;
        let subject = files::read_subject(dir)?;
        let lines = lines::read(dir)?;
        let sources = sources(&report, &subject);
        Ok(RunDir { dir: dir.to_path_buf(), report, tests, subject, lines, sources })
    }

    /// The name of a file for people.
    pub fn shown<'a>(&'a self, file: &'a str) -> &'a str {
        self.sources.get(file).map_or(file, |source| source.shown.as_str())
    }

    /// Whether the run was about a criterion. Others have objectives that are only parts of those of another.
    pub fn is_asked_for(&self, criterion: Criterion) -> bool {
        self.report.criteria.is_empty() || self.report.criteria.contains(&criterion)
    }

    /// The objectives that people are told of.
    pub fn shown_objectives(&self) -> impl Iterator<Item = &ObjectiveEntry> {
        self.report.objectives.iter().filter(|o| self.is_asked_for(o.criterion))
    }

    /// A test by its name.
    pub fn case(&self, name: &str) -> Option<&TestCase> {
        self.tests.iter().find(|test| test.name == name)
    }

    /// For each test, the objectives that no test before it covers: what it is there for. By the number of the test.
    pub fn purposes(&self) -> Vec<Vec<&ObjectiveEntry>> {
        let numbers: HashMap<&str, usize> =
            self.report.tests.iter().enumerate().map(|(i, t)| (t.name.as_str(), i)).collect();
        let mut purposes = vec![Vec::new(); self.report.tests.len()];
        for objective in &self.report.objectives {
            let first = objective.tests.iter().filter_map(|t| numbers.get(t.as_str())).min();
            if let Some(&first) = first {
                purposes[first].push(objective);
            }
        }
        purposes
    }
}

pub(crate) fn sources(report: &Report, subject: &SubjectInfo) -> BTreeMap<String, Source> {
    let mut sources = BTreeMap::new();
    let own = subject.files.iter().map(|f| subject.name(&f.absolute()));
    let objectives = report.objectives.iter().map(|o| o.file.clone());
    let defects = report.defects.iter().filter(|d| !d.file.is_empty()).map(|d| d.file.clone());
    for file in objectives.chain(defects).chain(own.collect::<Vec<_>>()) {
        sources.entry(file).or_insert_with_key(|file| source(file, subject));
    }
    // A file of the subject under two names is one file; the objectives' name stands.
    let named: Vec<PathBuf> = report.objectives.iter().filter_map(|o| sources.get(&o.file)?.path.clone()).collect();
    let used =
        |file: &str| report.objectives.iter().any(|o| o.file == file) || report.defects.iter().any(|d| d.file == file);
    sources.retain(|file, source| used(file) || source.path.as_ref().is_none_or(|path| !named.contains(path)));
    let base = base(subject, sources.values().filter_map(|s| s.path.as_deref()));
    for (file, source) in &mut sources {
        let short = source.path.as_ref().and_then(|path| path.strip_prefix(&base).ok());
        source.shown = short.map_or_else(|| file.clone(), |path| path.display().to_string());
    }
    sources
}

fn source(file: &str, subject: &SubjectInfo) -> Source {
    let Some(path) = subject.place(file) else { return Source::default() };
    let Ok(bytes) = std::fs::read(&path) else { return Source { path: Some(path), ..Source::default() } };
    let recorded = subject.files.iter().find_map(|f| match f.absolute() == path {
        true => Some(&f.content.sha256),
        false => f.content.headers.get(&path),
    });
    let changed = recorded.is_some_and(|digest| !digest.is_empty() && *digest != sha256(&bytes));
    let text = String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect();
    Source { path: Some(path), text: Some(text), changed, shown: String::new() }
}

/// What names for people are relative to: the project's root. Results that do not say where that is: where Covenant was called,
/// if all files are below it.
fn base<'a>(subject: &SubjectInfo, paths: impl Iterator<Item = &'a Path> + Clone) -> PathBuf {
    let called = [&subject.root, &subject.working_directory].into_iter().find(|path| !path.as_os_str().is_empty());
    let called = called.map(|path| path.canonicalize().unwrap_or_else(|_| path.clone()));
    called.filter(|called| paths.clone().all(|path| path.starts_with(called))).unwrap_or_else(|| shared(paths))
}

/// The same verdict in the words of reports: what is `unknown` in `report.json` is open.
pub(crate) fn verdict_word(verdict: VerdictKind) -> &'static str {
    match verdict {
        VerdictKind::Covered | VerdictKind::Infeasible => verdict.word(),
        VerdictKind::Unknown => "open",
    }
}

/// A reason without the names of objectives that only other objectives know: `f:3:5:mcdc-vector:T-=F` is an evaluation.
pub fn plain(reason: &str) -> String {
    let words = reason.split(' ').map(|word| {
        let vector = word.split_once(":mcdc-vector:").and_then(|(_, vector)| vector.split_once('='));
        vector.map_or_else(|| word.to_owned(), |(values, result)| format!("an evaluation {values} that gives {result}"))
    });
    words.collect::<Vec<_>>().join(" ")
}

/// An objective in words: `price < 0 is true`, `case 3`.
pub(crate) fn says(objective: &ObjectiveEntry) -> String {
    let ObjectiveEntry { text, outcome, criterion, .. } = objective;
    let silent = matches!(outcome, Outcome::Holds(what) if what.is_empty());
    match (text.as_str(), outcome) {
        ("", _) if silent => criterion.to_string(),
        (text, _) if silent => text.to_owned(),
        ("", outcome) => outcome.to_string(),
        (text, Outcome::True | Outcome::False) => format!("{text} is {outcome}"),
        (text, outcome) => format!("{text}: {outcome}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_relative_to_what_files_share() {
        let paths = ["/p/src/a.c", "/p/src/deep/b.c", "/p/include/c.h"].map(PathBuf::from);
        let base = |paths: &[PathBuf]| base(&SubjectInfo::default(), paths.iter().map(PathBuf::as_path));
        assert_eq!((base(&paths), base(&paths[..1]), base(&[])), ("/p".into(), "/p/src".into(), PathBuf::new()));
    }

    #[test]
    fn reasons_name_evaluations() {
        let reason = "still open: f:3:5:mcdc-vector:T-=F, f:3:5:mcdc-vector:TT=T; see --timeout";
        let words = "still open: an evaluation T- that gives F, an evaluation TT that gives T; see --timeout";
        assert_eq!(plain(reason), words);
    }

    #[test]
    fn each_objective_is_the_purpose_of_its_first_test() {
        let objective = |id: &str, tests: &[&str]| ObjectiveEntry {
            id: id.into(),
            tests: tests.iter().map(|t| (*t).to_owned()).collect(),
            ..ObjectiveEntry::default()
        };
        let mut run = RunDir::default();
        for name in ["a", "b"] {
            let entry = covenant_goals::report::TestEntry { name: name.into(), ..Default::default() };
            run.report.tests.push(entry);
        }
        run.report.objectives = vec![objective("1", &["b", "a"]), objective("2", &["b"]), objective("3", &[])];
        let ids: Vec<Vec<&str>> = run.purposes().iter().map(|p| p.iter().map(|o| o.id.as_str()).collect()).collect();
        assert_eq!(ids, [["1"], ["2"]]);
    }
}
