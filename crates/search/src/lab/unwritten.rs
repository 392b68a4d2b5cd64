//! What is behind a pointer before the code writes there.
//!
//! What a test does not set is zero. Where the code writes a zero without having looked, code that forgets to would pass: so the
//! test has something else there before.

use covenant_goals::TestCase;
use covenant_goals::test_case::{Cell, Root, Value};

/// So many scalars of an object are set: those of a large array say the same again and again.
const MOST: usize = 8; // not tuning: how long a test may be

/// Sets what the run wrote a zero to and did not read.
pub(super) fn start_otherwise(test: &mut TestCase) {
    // What other functions write is not known to be written where that is a zero.
    let calls_others = test.observed.calls.as_ref().is_some_and(|calls| !calls.is_empty());
    if calls_others || !test.calls.is_empty() {
        return;
    }
    let mut more: Vec<Cell> = Vec::new();
    for cell in &test.observed.written {
        let Root::Object(id) = cell.root else { continue };
        let Some(object) = test.objects.iter().find(|object| object.id == id && !object.stream) else { continue };
        let bytes = object.scalar && object.element_size == 1;
        let most = if bytes { 1 } else { MOST };
        let is_free = !is_known(test, cell) && !test.observed.enumerators.contains_key(&cell.path);
        let Some(value) = other_than_zero(&cell.value).filter(|_| is_free) else { continue };
        if more.iter().filter(|other| other.root == cell.root).count() < most {
            more.push(Cell { value, ..cell.clone() });
        }
    }
    test.cells.extend(more);
}

/// Whether the run read something there, or wrote a bit-field.
fn is_known(test: &TestCase, cell: &Cell) -> bool {
    let end = |cell: &Cell| cell.offset + size(&cell.value);
    let overlaps = |other: &Cell| other.root == cell.root && other.offset < end(cell) && cell.offset < end(other);
    let mut bits = test.bits.iter().chain(&test.observed.bits);
    let is_field = bits.any(|field| field.root == cell.root && (cell.offset..end(cell)).contains(&field.offset));
    is_field || test.cells.iter().any(overlaps)
}

fn size(value: &Value) -> u64 {
    match value {
        Value::Int { size, .. } | Value::Float { size, .. } => u64::from(*size),
        Value::Pointer(_) => 8,
    }
}

/// A character for what may be one, and else a one.
fn other_than_zero(value: &Value) -> Option<Value> {
    match value {
        Value::Int { bits, size: size @ 1..=8, signed } if bits == "0" => {
            let other = if *size == 1 && *signed { u32::from(b'x') } else { 1 };
            Some(Value::Int { bits: other.to_string(), size: *size, signed: *signed })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use covenant_goals::test_case::{InputObject, Observed};

    use super::*;

    fn cell(id: u32, offset: u64, bits: &str, size: u32) -> Cell {
        let value = Value::Int { bits: bits.into(), size, signed: true };
        Cell { root: Root::Object(id), offset, path: format!("o{id}[{offset}]"), value }
    }

    fn test(cells: Vec<Cell>, written: Vec<Cell>) -> TestCase {
        let object =
            |id, element_size| InputObject { id, count: 16, element_size, scalar: true, ..InputObject::default() };
        let observed = Observed { written, ..Observed::default() };
        TestCase { objects: vec![object(1, 4), object(2, 1)], cells, observed, ..TestCase::default() }
    }

    #[test]
    fn zeros_are_written_over_something_else() {
        let mut one = test(Vec::new(), vec![cell(1, 0, "0", 4), cell(1, 4, "7", 4), cell(2, 3, "0", 1)]);
        start_otherwise(&mut one);
        assert_eq!(one.cells, [cell(1, 0, "1", 4), cell(2, 3, "120", 1)]);
    }

    #[test]
    fn others_may_write_a_zero_by_doing_nothing() {
        let mut one = test(Vec::new(), vec![cell(1, 0, "0", 4)]);
        one.calls.push(covenant_goals::test_case::CallInput::default());
        start_otherwise(&mut one);
        assert_eq!(one.cells, []);
    }

    #[test]
    fn what_the_run_read_stays() {
        let mut one = test(vec![cell(1, 2, "5", 2)], vec![cell(1, 0, "0", 4), cell(3, 0, "0", 4)]);
        start_otherwise(&mut one);
        assert_eq!(one.cells, [cell(1, 2, "5", 2)], "it overlaps, and the other object is no input");
    }
}
