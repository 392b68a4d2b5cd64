//! Tests for mutants that change a state and not the result: the inputs that change the state, in other tests.
//!
//! What a mutant needs is often one value (`x == 100000`), and what makes it show is in the others. So one value of a test that
//! changes the state is put into each of the other tests, and values are moved by one.

use std::collections::{BTreeMap, BTreeSet};

use covenant_goals::test_case::{Cell, Root, Value};
use covenant_goals::{Ledger, Objective, ObjectiveId, TestCase, TestOutcome};
use covenant_report::{Mutant, Mutants};
use covenant_search::Settings;
use covenant_search::campaign::{self, Observer};

use crate::subject::Loaded;

/// So many inputs are made up.
const MOST_INPUTS: usize = 4000; // not tuning: how long it takes
/// So many tests are tried for each mutant.
const MOST_TESTS: usize = 24; // not tuning: how long it takes

/// Whether an objective is about a mutant.
type About = dyn Fn(&Objective, &Mutant) -> bool;

/// Tests that may kill survivors, each with the numbers of these.
pub(crate) fn tests(
    loaded: &Loaded,
    settings: &Settings,
    pool: &[TestCase],
    (mutants, is_about): (&Mutants, &About),
    observer: &mut dyn Observer,
) -> Vec<(TestCase, Vec<u32>)> {
    let about = |ids: &[ObjectiveId]| -> Vec<u32> {
        let objectives = &loaded.subject.objectives;
        let hit: Vec<_> = ids.iter().filter_map(|id| objectives.get(id.0 as usize)).collect();
        let alive = mutants.survivors().filter(|mutant| hit.iter().any(|objective| is_about(objective, mutant)));
        alive.map(|mutant| mutant.number).collect()
    };
    let returned: Vec<TestCase> = pool.iter().filter(|test| is_plain(test)).cloned().collect();
    let first = campaign::take(&loaded.subject, settings, &returned, &mut |_, _| true, observer);
    let changing: Vec<TestCase> =
        first.iter().filter(|(_, ids)| !about(ids).is_empty()).map(|(test, _)| test.clone()).collect();
    let made = made_up(&returned, &changing);
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    let mut is_wanted = |_: &Ledger, ids: &[ObjectiveId]| {
        let mut wanted = false;
        for number in about(ids) {
            let count = counts.entry(number).or_default();
            *count += 1;
            wanted |= *count <= MOST_TESTS;
        }
        wanted
    };
    let found = campaign::take(&loaded.subject, settings, &made, &mut is_wanted, observer);
    found.into_iter().map(|(test, ids)| (test, about(&ids))).collect()
}

fn is_plain(test: &TestCase) -> bool {
    let outside = test.files.is_empty() && test.device.is_empty();
    let alone = test.args.is_empty() && test.stdin.is_empty() && outside;
    test.outcome == TestOutcome::Returned && alone && test.open.is_none()
}

/// Inputs made of those that are there.
fn made_up(all: &[TestCase], changing: &[TestCase]) -> Vec<TestCase> {
    let mut known: BTreeSet<String> = all.iter().map(key).collect();
    let nudged = changing.iter().chain(all).flat_map(nudged);
    let forth = changing.iter().flat_map(|from| all.iter().flat_map(move |to| crossed(to, from)));
    let back = changing.iter().flat_map(|to| all.iter().flat_map(move |from| crossed(to, from)));
    forth.chain(back).chain(nudged).filter(|test| known.insert(key(test))).take(MOST_INPUTS).collect()
}

fn key(test: &TestCase) -> String {
    format!("{:?} {:?} {:?} {:?}", test.cells, test.calls, test.failures, test.device)
}

fn is_number(cell: &&Cell) -> bool {
    !matches!(cell.value, Value::Pointer(_))
}

/// `to` with one value of `from`, for each that differs.
fn crossed(to: &TestCase, from: &TestCase) -> Vec<TestCase> {
    let is_there = |root: &Root| match root {
        Root::Object(id) => {
            let object = |test: &TestCase| test.objects.iter().find(|o| o.id == *id).map(|o| (o.name.clone(), o.count));
            object(to).is_some() && object(to) == object(from)
        }
        _ => true,
    };
    let mut made = Vec::new();
    for cell in from.cells.iter().filter(is_number).filter(|cell| is_there(&cell.root)) {
        let mut test = to.clone();
        let place = |other: &&mut Cell| other.root == cell.root && other.offset == cell.offset;
        match test.cells.iter_mut().find(place) {
            Some(own) if own.value == cell.value || matches!(own.value, Value::Pointer(_)) => continue,
            Some(own) => own.value.clone_from(&cell.value),
            None => test.cells.push(cell.clone()),
        }
        made.push(test);
    }
    made
}

/// The test with one integer more or less by one.
fn nudged(test: &TestCase) -> Vec<TestCase> {
    let mut made = Vec::new();
    for (index, cell) in test.cells.iter().enumerate() {
        let Value::Int { bits, size, signed } = &cell.value else { continue };
        let Some(number) = bits.parse::<u128>().ok().filter(|_| *size <= 8) else { continue };
        let mask = (1u128 << (8 * size)) - 1;
        for other in [number.wrapping_add(1) & mask, number.wrapping_sub(1) & mask] {
            let mut test = test.clone();
            test.cells[index].value = Value::Int { bits: other.to_string(), size: *size, signed: *signed };
            made.push(test);
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(values: &[u32]) -> TestCase {
        let cell = |(index, number): (usize, &u32)| Cell {
            root: Root::Param(index as u32),
            offset: 0,
            path: format!("p{index}"),
            value: Value::Int { bits: number.to_string(), size: 4, signed: true },
        };
        TestCase { cells: values.iter().enumerate().map(cell).collect(), ..TestCase::default() }
    }

    #[test]
    fn one_value_comes_from_another_test() {
        assert_eq!(crossed(&test(&[1, 2]), &test(&[1, 7])), [test(&[1, 7])]);
        assert_eq!(crossed(&test(&[1]), &test(&[5, 7])), [test(&[5]), test(&[1, 7])]);
    }

    #[test]
    fn values_move_by_one() {
        assert_eq!(nudged(&test(&[0])), [test(&[1]), test(&[u32::MAX])]);
    }

    #[test]
    fn nothing_is_made_twice() {
        let (a, b) = (test(&[1, 2]), test(&[3, 4]));
        let made = made_up(&[a.clone(), b], &[a]);
        let keys: BTreeSet<String> = made.iter().map(key).collect();
        assert_eq!(keys.len(), made.len());
        assert!(keys.contains(&key(&test(&[1, 4]))) && keys.contains(&key(&test(&[3, 2]))));
    }
}
