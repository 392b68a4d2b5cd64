//! `coverage.json`: the lines that each test ran natively, as llvm-cov saw them in the replay.
//!
//! Branches alone do not say which lines a test ran; exports (lcov, Cobertura) and the path of a test in the report need
//! them. The file belongs to the tests of its run: a new run removes it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::files::{read_json, write_file};

pub(crate) const FILE: &str = "coverage.json";

/// First and last line of a run of lines.
pub type Span = (u32, u32);

/// Which lines tests ran.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LineCoverage {
    /// The lines with code, by file, named as the objectives name it.
    pub files: BTreeMap<String, Vec<Span>>,
    /// The functions, by file: where each begins.
    #[serde(default)]
    pub functions: BTreeMap<String, BTreeMap<String, u32>>,
    /// The lines that ran, by test and file.
    pub tests: BTreeMap<String, BTreeMap<String, Vec<Span>>>,
}

impl LineCoverage {
    /// The function that a line belongs to: the last one that begins at it or before.
    pub fn function_at(&self, file: &str, line: u32) -> Option<&str> {
        let starts = self.functions.get(file)?.iter().filter(|(_, start)| **start <= line);
        starts.max_by_key(|(_, start)| **start).map(|(name, _)| name.as_str())
    }

    /// How many tests ran each line of a file that has code.
    pub fn hits(&self, file: &str) -> BTreeMap<u32, u32> {
        let mut hits: BTreeMap<u32, u32> = each(self.files.get(file)).map(|line| (line, 0)).collect();
        for test in self.tests.values() {
            for line in each(test.get(file)) {
                *hits.entry(line).or_default() += 1;
            }
        }
        hits
    }
}

fn each(spans: Option<&Vec<Span>>) -> impl Iterator<Item = u32> + '_ {
    spans.into_iter().flatten().flat_map(|&(first, last)| first..=last)
}

/// Lines in ascending order as runs.
pub(crate) fn spans(lines: impl IntoIterator<Item = u32>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for line in lines {
        match spans.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => spans.push((line, line)),
        }
    }
    spans
}

pub(crate) fn write(dir: &Path, coverage: &LineCoverage) -> Result<(), Error> {
    let path = dir.join(FILE);
    // One line a file would be nicer to read, but there may be thousands of tests.
    let text =
        serde_json::to_vec(coverage).map_err(|e| Error::Content { path: path.clone(), message: e.to_string() })?;
    write_file(&path, &text)
}

/// `None` if the tests were not replayed.
pub fn read(dir: &Path) -> Result<Option<LineCoverage>, Error> {
    let path = dir.join(FILE);
    if path.is_file() { read_json(&path).map(Some) } else { Ok(None) }
}

/// Lines of other tests are worse than none.
pub fn remove(dir: &Path) -> Result<(), Error> {
    let path = dir.join(FILE);
    match std::fs::remove_file(&path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::file(&path)(e)),
        _ => Ok(()),
    }
}

/// A row of llvm-cov's `segments`: line, column, count, has a count, starts a region, is a gap.
pub(crate) type Segment = (u32, u32, u64, bool, bool, bool);

/// The lines that have code and whether they ran, by llvm-cov's own rules: a line counts as often as the region that
/// reaches into it or, if regions start in it, as the most frequent of these.
pub(crate) fn executed(segments: &[Segment]) -> BTreeMap<u32, bool> {
    let mut lines = BTreeMap::new();
    let mut before: Option<&Segment> = None;
    let mut rest = segments;
    while let Some(first) = rest.first() {
        let count = rest.iter().take_while(|s| s.0 == first.0).count();
        let (here, behind) = rest.split_at(count);
        line(first.0, here, before, &mut lines);
        before = here.last();
        // Lines on which nothing starts or ends belong to the region around them.
        if let (Some(around), Some(next)) = (before.filter(|s| s.3), behind.first()) {
            lines.extend((first.0 + 1..next.0).map(|number| (number, around.2 > 0)));
        }
        rest = behind;
    }
    lines
}

fn line(number: u32, here: &[Segment], before: Option<&Segment>, lines: &mut BTreeMap<u32, bool>) {
    let starts = |s: &&Segment| s.3 && s.4 && !s.5;
    let skipped = here.first().is_some_and(|s| !s.3 && s.4);
    let around = before.filter(|s| s.3);
    if skipped || (around.is_none() && !here.iter().any(|s| starts(&s))) {
        return;
    }
    let inside = here.iter().filter(starts).map(|s| s.2).max().unwrap_or(0);
    lines.insert(number, around.map_or(0, |s| s.2).max(inside) > 0);
}

/// A run that ended inside a region did not run the rest of it, though llvm-cov counts the region as a whole. Lines behind
/// the end, in the same piece of code, count only up to the last branch that the run took there.
pub(crate) fn end_at(lines: &mut BTreeMap<u32, bool>, end: u32, last_branch: u32) {
    let mut line = end.max(last_branch);
    while let Some(ran) = lines.get_mut(&(line + 1)) {
        *ran = false;
        line += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_follow_the_regions() {
        // 1: int f(int x) {   2: if (x)   3:   y();   4:  z();  5: }
        let segments = [
            (1, 14, 1, true, true, false),
            (2, 7, 0, true, true, true),
            (3, 3, 0, true, true, false),
            (3, 6, 1, true, false, false),
            (5, 2, 0, false, false, false),
        ];
        let lines = executed(&segments);
        let ran: Vec<u32> = lines.iter().filter(|(_, ran)| **ran).map(|(line, _)| *line).collect();
        // A gap region reaches into line 3, but its own count and that of the region there are 0.
        assert_eq!(ran, [1, 2, 4, 5]);
        assert_eq!(lines.get(&3), Some(&false));
        assert_eq!(lines.len(), 5);
    }

    #[test]
    fn a_trap_ends_its_piece_of_code() {
        let mut lines: BTreeMap<u32, bool> = [1, 2, 3, 4, 5, 7].map(|line| (line, true)).into();
        end_at(&mut lines, 2, 3);
        let ran: Vec<u32> = lines.iter().filter(|(_, ran)| **ran).map(|(line, _)| *line).collect();
        assert_eq!(ran, [1, 2, 3, 7]);
    }

    #[test]
    fn runs_of_lines() {
        assert_eq!(spans([1, 2, 3, 7, 9, 10]), [(1, 3), (7, 7), (9, 10)]);
        let mut coverage = LineCoverage::default();
        coverage.files.insert("a.c".into(), vec![(1, 3)]);
        coverage.tests.insert("t".into(), [("a.c".to_owned(), vec![(2, 3)])].into());
        coverage.tests.insert("u".into(), [("a.c".to_owned(), vec![(3, 3)])].into());
        assert_eq!(coverage.hits("a.c"), [(1, 0), (2, 1), (3, 2)].into());
    }
}
