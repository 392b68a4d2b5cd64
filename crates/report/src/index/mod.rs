//! `index.html` and `index.json`: all functions of a project on one page. The page is `report.html`, too, as results of one
//! function have it.

mod page;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use covenant_goals::report::{ObjectiveEntry, Totals};
use covenant_goals::{Criterion, Report};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::against::Clash;
use crate::files::{read_json, write_file, write_json};

/// The list of functions, for scripts.
pub(crate) const FILE: &str = "index.json";
/// The page.
pub(crate) const PAGE: &str = "index.html";

/// What came of one function.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct FunctionRun {
    /// The function.
    pub name: String,
    /// The file that defines it, for people.
    pub file: String,
    /// Its results, below the directory of the index.
    pub folder: String,
    /// Of all criteria together.
    pub totals: Totals,
    /// How many of those that are covered only tests of other functions take.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub elsewhere: u32,
    /// How many there are.
    pub tests: usize,
    /// How many were found.
    pub defects: usize,
    /// What the run took.
    pub wall_ms: u64,
    /// Why there are no results.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub error: String,
    /// Its branches, where there are no results: they are a part of the project all the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<ObjectiveEntry>,
}

impl FunctionRun {
    /// Takes over what a report says.
    pub fn read(&mut self, report: &Report) {
        self.totals = report.asked();
        self.tests = report.tests.len();
        self.defects = report.true_defects().count();
        self.wall_ms = report.stats.wall_ms;
    }

    /// So many of its open objectives are taken by tests of other functions.
    pub fn taken_elsewhere(&mut self, count: u32) {
        let count = count.min(self.totals.unknown);
        self.totals.unknown -= count;
        self.totals.covered += count;
        self.elsewhere = count;
    }

    /// Whether something is open, or wrong with the code.
    pub fn needs_a_look(&self) -> bool {
        self.defects > 0 || self.totals.unknown > 0 || !self.error.is_empty()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// What a project's results are of.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Head {
    /// Its name.
    pub project: String,
    /// The state of the sources, if a version control system knows it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub commit: String,
    /// When the results were put together, as `2024-05-01 12:00`.
    pub date: String,
}

/// What an index said before.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Before {
    /// What it was of.
    #[serde(flatten)]
    pub head: Head,
    /// Of all criteria together.
    pub totals: Totals,
}

/// The index that is in a directory, if there is one: what the next is compared with.
pub fn before(dir: &Path) -> Option<Before> {
    read_json(&dir.join(FILE)).ok()
}

/// Makes the page of a directory once more from its list.
pub fn rewrite(dir: &Path) -> Result<PathBuf, Error> {
    #[derive(Deserialize)]
    struct Listed {
        #[serde(flatten)]
        head: Head,
        totals: Totals,
        #[serde(default)]
        criteria: BTreeMap<Criterion, Totals>,
        before: Option<Before>,
        functions: Vec<FunctionRun>,
        #[serde(default)]
        contradictions: Vec<Clash>,
    }
    let Listed { head, totals, criteria, before, functions, contradictions } = read_json(&dir.join(FILE))?;
    let schema = covenant_goals::report::SCHEMA;
    let (functions, contradictions) = (&functions[..], &contradictions[..]);
    Index { schema, head, totals, criteria, before, functions, contradictions }.write(dir)
}

/// All that the page shows.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Index<'a> {
    /// The version of this form.
    pub schema: u32,
    /// What it is of.
    #[serde(flatten)]
    pub head: Head,
    /// Of all criteria together, each objective once.
    pub totals: Totals,
    /// The same by criterion.
    pub criteria: BTreeMap<Criterion, Totals>,
    /// The last run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Before>,
    /// All of them.
    pub functions: &'a [FunctionRun],
    /// Results that contradict each other.
    #[serde(skip_serializing_if = "<[Clash]>::is_empty")]
    pub contradictions: &'a [Clash],
}

impl<'a> Index<'a> {
    /// Of these functions; `whole` has their results as one.
    pub fn new(head: Head, before: Option<Before>, functions: &'a [FunctionRun], whole: &Report) -> Index<'a> {
        let asked = |name: &Criterion| whole.criteria.is_empty() || whole.criteria.contains(name);
        let criteria = whole.totals.iter().filter(|(name, _)| asked(name)).map(|(name, totals)| (*name, *totals));
        let (schema, totals, criteria) = (covenant_goals::report::SCHEMA, whole.asked(), criteria.collect());
        Index { schema, head, totals, criteria, before, functions, contradictions: &[] }
    }

    /// Writes all files; returns the page.
    pub fn write(&self, dir: &Path) -> Result<PathBuf, Error> {
        write_json(&dir.join(FILE), self)?;
        let (path, page) = (dir.join(PAGE), page::page(self));
        write_file(&dir.join("report.html"), page.as_bytes())?;
        write_file(&path, page.as_bytes())?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_a_look_comes_first() {
        let run = |name: &str, unknown, error: &str| FunctionRun {
            name: name.into(),
            folder: name.into(),
            totals: Totals { objectives: 4, covered: 4 - unknown, infeasible: 0, unknown },
            error: error.into(),
            ..FunctionRun::default()
        };
        let runs = [run("good", 0, ""), run("open", 2, ""), run("broken<", 0, "no body")];
        let clash = Clash {
            objective: "f:1:2:true".into(),
            place: "a.c:1:2".into(),
            says: "x < 1 is true".into(),
            function: "good".into(),
            prover: "arc".into(),
            other: "open".into(),
            test: "test_001".into(),
        };
        let mut whole = Report::default();
        whole.totals.insert(Criterion::Branch, Totals { objectives: 12, covered: 9, infeasible: 1, unknown: 2 });
        let head = Head { project: "parts".into(), commit: "1a2b3c".into(), date: "2024-05-01 12:00".into() };
        let last =
            Before { totals: Totals { objectives: 12, covered: 7, infeasible: 1, unknown: 4 }, head: head.clone() };
        let mut index = Index::new(head, Some(last.clone()), &runs, &whole);
        index.contradictions = std::slice::from_ref(&clash);
        let page = page::page(&index);
        assert!(page.contains("`x &lt; 1 is true`"));
        let at = |text: &str| page.find(text).unwrap();
        assert!(at("broken&lt;") < at("open/report.html") && at("open/report.html") < at("good/report.html"));
        assert!(page.contains("83.3%") && page.contains("1a2b3c") && page.contains("+2 since"), "{page}");
        let dir = tempfile::tempdir().unwrap();
        index.write(dir.path()).unwrap();
        let json: serde_json::Value = read_json(&dir.path().join(FILE)).unwrap();
        assert_eq!((&json["totals"]["unknown"], &json["criteria"]["branch"]["covered"]), (&2.into(), &9.into()));
        assert_eq!((&json["contradictions"][0]["other"], &json["project"]), (&"open".into(), &"parts".into()));
        let again = before(dir.path()).unwrap();
        assert_eq!((again.head, again.totals.covered), (last.head, 9));
    }
}
