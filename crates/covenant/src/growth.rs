//! Larger objects, where those of usual size leave something open.
//!
//! How many elements an object behind a pointer has is a choice of ours. Where the search has nothing left to try and runs ended
//! at the size of an object, it is done again with larger ones, from the tests that are there. (A search that does not come to that
//! point has others do so in between: `Aside` of `covenant-search`.) Only what the first search left
//! open is taken from the others: freedom costs nothing where it is not used. Each further search also holds the proofs of the
//! first against its runs.

use std::collections::HashMap;

use covenant_concolic::Subject;
use covenant_goals::report::Defect;
use covenant_goals::{Contradiction, Status, TestCase, Verdict};
use covenant_search::Settings;
use covenant_search::campaign::{self, Findings, Observer};

/// Elements of objects, one search after the other, and of those that are structs with pointers.
pub(crate) const LARGER: [(u64, u64); 3] = [(64, 4), (256, 16), (4096, 64)]; // not tuning: what the inputs are

/// Searches on with larger objects as long as some objective may need them.
pub(crate) fn grow(
    first: &mut Findings,
    subject: &Subject,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<(), Contradiction> {
    for (elements, nodes) in LARGER {
        // What has no place in the program is not found with larger objects either.
        let is_open =
            first.ledger.iter().any(|(_, objective, verdict)| objective.unmapped.is_none() && verdict.is_limited());
        if first.status != Status::Complete || !first.ended_by_size || !is_open {
            return Ok(());
        }
        let mut settings = settings.clone();
        settings.inputs.array_len = elements;
        settings.inputs.nodes = nodes;
        let further = campaign::run_from(subject, &settings, &first.tests, observer)?;
        take(first, further)?;
    }
    Ok(())
}

fn take(first: &mut Findings, further: Findings) -> Result<(), Contradiction> {
    take_tests(first, &further)?;
    first.status = further.status;
    first.ended_by_size = further.ended_by_size;
    first.limits.extend(further.limits);
    Ok(())
}

/// What the further search covers and the first one does not, and errors that only it found.
pub(crate) fn take_tests(first: &mut Findings, further: &Findings) -> Result<(), Contradiction> {
    let mut moved = Moved { tests: &further.tests, numbers: HashMap::new() };
    for (id, _, verdict) in further.ledger.iter() {
        let Verdict::Covered(tests) = verdict else { continue };
        let is_new = !matches!(first.ledger.verdict(id), Verdict::Covered(_));
        if let Some(number) = tests.first().filter(|_| is_new).and_then(|&test| moved.number(first, test)) {
            first.ledger.cover(id, number)?;
        }
    }
    let place = |defect: &Defect| (defect.file.clone(), defect.line, defect.column, defect.kind.clone());
    for defect in &further.defects {
        if first.defects.iter().any(|known| place(known) == place(defect)) {
            continue;
        }
        let test = further.tests.iter().position(|case| case.name == defect.test);
        if let Some(number) = test.and_then(|test| moved.number(first, test as u32)) {
            let test = first.tests[number as usize].name.clone();
            first.defects.push(Defect { test, ..defect.clone() });
        }
    }
    first.stats.add(&further.stats);
    first.stats.tests = first.tests.len() as u64;
    Ok(())
}

/// Tests of a further search and their numbers among those of the first.
struct Moved<'f> {
    tests: &'f [TestCase],
    numbers: HashMap<u32, u32>,
}

impl Moved<'_> {
    fn number(&mut self, first: &mut Findings, test: u32) -> Option<u32> {
        if let Some(&number) = self.numbers.get(&test) {
            return Some(number);
        }
        let number = first.tests.len();
        let case = self.tests.get(test as usize)?.clone();
        first.tests.push(TestCase { name: campaign::test_name(number), ..case });
        self.numbers.insert(test, number as u32);
        Some(number as u32)
    }
}
