//! The objectives of all functions, each once.

use std::collections::BTreeMap;
use std::path::Path;

use covenant_goals::report::ObjectiveEntry;
use covenant_goals::{Criterion, ReasonKind, Report, VerdictKind};

use crate::against::is_same;
use crate::index::FunctionRun;

/// What an objective is, in whatever results it stands: criterion, file, name, and what the name leaves open.
type Key = (Criterion, String, String, String, Option<u32>);

/// What is known of an objective.
#[derive(Default)]
struct Known {
    /// In the results of its own function, or of the first that reaches it.
    entry: ObjectiveEntry,
    is_own: bool,
    /// Tests of other functions.
    elsewhere: Vec<String>,
    /// A function that cannot reach it.
    refuted: Option<String>,
}

#[derive(Default)]
pub(super) struct Objectives {
    known: BTreeMap<Key, Known>,
    /// In the order in which functions have them, which is that of criteria and of the source.
    order: Vec<Key>,
    /// What tests take in passing may be met before its own function is.
    passing: BTreeMap<Key, Vec<String>>,
}

impl Objectives {
    /// Adds what a function's results say; `name` is what the project calls a file.
    pub(super) fn add(&mut self, run: &FunctionRun, report: &Report, name: &dyn Fn(&str) -> String) {
        let test = |test: &String| format!("{}/{test}", run.folder);
        for o in &report.objectives {
            let file = name(&o.file);
            let key = key(o, &file);
            let is_own = o.function == run.name && is_same(Path::new(&run.file), &file);
            let entry = ObjectiveEntry {
                file,
                tests: o.tests.iter().map(test).collect(),
                proof: o.proof.as_ref().map(|proof| format!("{}/{proof}", run.folder)),
                ..o.clone()
            };
            self.meet(key, entry, is_own, run);
        }
        for o in &report.passing {
            let key = key(o, &name(&o.file));
            self.passing.entry(key).or_default().extend(o.tests.iter().map(test));
        }
    }

    fn meet(&mut self, key: Key, mut entry: ObjectiveEntry, is_own: bool, run: &FunctionRun) {
        let known = self.known.entry(key.clone()).or_insert_with(|| {
            self.order.push(key);
            Known::default()
        });
        if !is_own {
            known.elsewhere.append(&mut entry.tests);
            if entry.verdict == VerdictKind::Infeasible {
                known.refuted.get_or_insert_with(|| run.name.clone());
            }
        }
        let first = known.entry.id.is_empty();
        if (is_own && !known.is_own) || first {
            known.entry = entry;
            known.is_own = is_own;
        }
    }

    /// All of them, with what tests of any function take.
    pub(super) fn all(mut self) -> Vec<ObjectiveEntry> {
        let mut ids: BTreeMap<String, u32> = BTreeMap::new();
        self.order.iter().for_each(|(_, _, id, ..)| *ids.entry(id.clone()).or_default() += 1);
        let mut all = Vec::new();
        for key in std::mem::take(&mut self.order) {
            let Some(mut known) = self.known.remove(&key) else { continue };
            known.elsewhere.extend(self.passing.remove(&key).unwrap_or_default());
            let mut entry = known.decided();
            // Static functions of one name in two files may have objectives of one name.
            if ids.get(&entry.id).is_some_and(|count| *count > 1) {
                entry.id = format!("{}:{}", entry.file, entry.id);
            }
            all.push(entry);
        }
        all.sort_by_key(|entry| entry.criterion);
        all
    }
}

impl Known {
    fn decided(self) -> ObjectiveEntry {
        let Known { mut entry, is_own, elsewhere, refuted } = self;
        let proved = is_own && entry.verdict == VerdictKind::Infeasible && entry.rests_on.is_empty();
        // A proof for all inputs stands; where it rests on the user's assumptions, other functions need not keep them.
        if !elsewhere.is_empty() && !proved {
            if entry.verdict != VerdictKind::Covered {
                entry.verdict = VerdictKind::Covered;
                (entry.reason, entry.kind, entry.proof, entry.prover) = (None, None, None, None);
                entry.rests_on.clear();
                entry.callers.clear();
            }
            let more = elsewhere.into_iter().filter(|test| !entry.tests.contains(test));
            let more: Vec<String> = more.collect();
            entry.tests.extend(more);
        } else if !is_own && entry.verdict == VerdictKind::Infeasible {
            let caller = refuted.unwrap_or_default();
            entry.verdict = VerdictKind::Unknown;
            entry.kind = Some(ReasonKind::Bound);
            entry.reason =
                Some(format!("`{caller}` cannot reach it, and `{}` has no results of its own", entry.function));
            (entry.proof, entry.prover) = (None, None);
        }
        entry
    }
}

fn key(o: &ObjectiveEntry, file: &str) -> Key {
    (o.criterion, file.to_owned(), o.id.clone(), o.text.clone(), o.region)
}
