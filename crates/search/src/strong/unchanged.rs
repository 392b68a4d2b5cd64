//! What a test expects to be left alone.
//!
//! A test tells what the code changed. A mutant may change more than that: write one element too many, or go on where the program
//! stops. It shows if the test also says what that element still is.

use covenant_goals::TestCase;
use covenant_goals::TestOutcome;
use covenant_goals::test_case::{Cell, Observed, Pointer, Root, Value};

/// So many scalars of a run are told; with more, what nobody tells of may have changed all the same.
const MOST_TOLD: usize = 512; // not tuning: how long a test may be

/// Something in the objects of a test that its run leaves as it is and another run, of the same inputs, changes: as it is.
pub(super) fn left_alone(test: &TestCase, expected: &Observed, other: &TestCase) -> Option<Cell> {
    // What differs elsewhere, or has no meaning, may be told nowhere, and what the C library calls back for is not told at all.
    let is_told = expected.undefined.is_none() && expected.written.len() < MOST_TOLD / 2;
    let is_known = is_told && expected.open.iter().all(|path| path == "result");
    if !is_known || other.outcome != TestOutcome::Returned {
        return None;
    }
    let is_new = |cell: &&Cell| !expected.written.iter().any(|own| overlap(own, cell));
    other.observed.written.iter().filter(is_new).find_map(|cell| {
        let of_cell = cell.offset..cell.offset + size(&cell.value);
        let mut fields = test.bits.iter().chain(&expected.bits).filter(|field| field.root == cell.root);
        if fields.any(|field| of_cell.contains(&field.offset)) || !is_in_same_object(test, other, cell) {
            return None;
        }
        let before = Cell { value: before(test, cell)?, ..cell.clone() };
        (before.value != cell.value).then_some(before)
    })
}

/// What a test expects of which another run of the same inputs, which wrote nothing there, says something: not what the test's run
/// writes over the same.
pub(super) fn telling(test: &TestCase, expected: &Observed, other: &Observed) -> Observed {
    let mut told = expected.clone();
    told.written.retain(|cell| {
        let is_idle = matches!(cell.root, Root::Object(_)) && before(test, cell).as_ref() == Some(&cell.value);
        !is_idle || other.written.iter().any(|seen| overlap(seen, cell))
    });
    told
}

/// Has a test expect something that is left alone, among what it expects of the same object.
pub fn expect_unchanged(test: &mut TestCase, cell: Cell) {
    if test.observed.written.iter().any(|own| overlap(own, &cell)) {
        return;
    }
    if let Root::Object(id) = cell.root
        && let Some(object) = test.objects.iter_mut().find(|object| object.id == id)
        && object.element_size > 0
    {
        // The suite shows as much of the object as the run used, and this is a use.
        object.used = object.used.map(|used| used.max(cell.offset / object.element_size + 1));
    }
    let written = &mut test.observed.written;
    let before = |own: &Cell| own.root == cell.root && own.offset < cell.offset;
    let at = match written.iter().rposition(before) {
        Some(last) => last + 1,
        None => written.iter().position(|own| own.root == cell.root).unwrap_or(written.len()),
    };
    written.insert(at, cell);
}

/// What a test has there: what it does not set is zero.
fn before(test: &TestCase, cell: &Cell) -> Option<Value> {
    match test.cells.iter().find(|own| overlap(own, cell)) {
        Some(own) => (own.offset == cell.offset && size(&own.value) == size(&cell.value)).then(|| own.value.clone()),
        None => match &cell.value {
            Value::Int { size, signed, .. } => Some(Value::Int { bits: "0".to_owned(), size: *size, signed: *signed }),
            Value::Pointer(_) => Some(Value::Pointer(Pointer::Null)),
            Value::Float { .. } => None,
        },
    }
}

/// Whether it is in an object that both have, which is no stream and stays where it is.
fn is_in_same_object(test: &TestCase, other: &TestCase, cell: &Cell) -> bool {
    let Root::Object(id) = cell.root else { return false };
    let object = |test: &TestCase| {
        let object = test.objects.iter().find(|o| o.id == id && !o.stream && !o.heap);
        object.map(|o| (o.name.clone(), o.count, o.element_size))
    };
    object(test).is_some_and(|own| object(other) == Some(own))
}

fn overlap(one: &Cell, other: &Cell) -> bool {
    let end = |cell: &Cell| cell.offset + size(&cell.value);
    one.root == other.root && one.offset < end(other) && other.offset < end(one)
}

fn size(value: &Value) -> u64 {
    match value {
        Value::Int { size, .. } | Value::Float { size, .. } => u64::from(*size),
        Value::Pointer(_) => 8,
    }
}

#[cfg(test)]
mod tests {
    use covenant_goals::test_case::{BitField, InputObject};

    use super::*;

    fn cell(at: u64, bits: u32) -> Cell {
        let value = Value::Int { bits: bits.to_string(), size: 1, signed: false };
        Cell { root: Root::Object(1), offset: at, path: format!("to[{at}]"), value }
    }

    fn test(cells: &[(u64, u32)], written: &[(u64, u32)]) -> TestCase {
        let all = |cells: &[(u64, u32)]| cells.iter().map(|&(at, bits)| cell(at, bits)).collect::<Vec<_>>();
        let object = InputObject { id: 1, name: "*to".into(), count: 16, element_size: 1, ..InputObject::default() };
        let observed = Observed { written: all(written), ..Observed::default() };
        TestCase {
            objects: vec![InputObject { used: Some(1), ..object }],
            cells: all(cells),
            observed,
            outcome: TestOutcome::Returned,
            ..TestCase::default()
        }
    }

    fn between(test: &TestCase, other: &TestCase) -> Option<Cell> {
        left_alone(test, &test.observed, other)
    }

    #[test]
    fn one_element_too_many_is_found() {
        let own = test(&[(2, 7)], &[(0, 1)]);
        assert_eq!(between(&own, &test(&[], &[(0, 1), (2, 1)])), Some(cell(2, 7)), "as the test sets it");
        assert_eq!(between(&own, &test(&[], &[(0, 1), (3, 1)])), Some(cell(3, 0)), "as nobody sets it");
        assert_eq!(between(&own, &test(&[], &[(0, 2)])), None, "that is expected already");
        assert_eq!(between(&own, &test(&[], &[(0, 1), (3, 0)])), None, "it is as before");
    }

    #[test]
    fn what_is_not_known_for_sure_is_not_expected() {
        let other = test(&[], &[(3, 1)]);
        let mut open = test(&[], &[]);
        open.observed.open.push("to[9]".into());
        assert_eq!(between(&open, &other), None);
        let mut meaningless = test(&[], &[]);
        meaningless.observed.undefined = Some("1 << 40".into());
        assert_eq!(between(&meaningless, &other), None);
        let mut field = test(&[], &[]);
        let (root, path) = (Root::Object(1), "to->flag".to_owned());
        field.bits.push(BitField { root, offset: 3, path, first: 0, width: 1, value: "1".into() });
        assert_eq!(between(&field, &other), None);
        let mut moved = other.clone();
        moved.objects[0].count = 4;
        assert_eq!(between(&test(&[], &[]), &moved), None);
        let trapped = TestCase { outcome: TestOutcome::Trapped, ..other };
        assert_eq!(between(&test(&[], &[]), &trapped), None);
    }

    #[test]
    fn a_value_written_over_the_same_tells_nothing() {
        let own = test(&[(1, 5)], &[(0, 0), (1, 5), (2, 3)]);
        let nothing = Observed::default();
        assert_eq!(telling(&own, &own.observed, &nothing).written, [cell(2, 3)]);
        let other = test(&[], &[(0, 9)]).observed;
        assert_eq!(telling(&own, &own.observed, &other).written, [cell(0, 0), cell(2, 3)]);
    }

    #[test]
    fn it_stands_in_its_place_and_once() {
        let mut one = test(&[], &[(0, 1), (5, 1)]);
        expect_unchanged(&mut one, cell(2, 0));
        expect_unchanged(&mut one, cell(2, 0));
        assert_eq!(one.observed.written, [cell(0, 1), cell(2, 0), cell(5, 1)]);
        assert_eq!(one.objects[0].used, Some(3));
    }
}
