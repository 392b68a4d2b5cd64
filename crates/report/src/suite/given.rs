//! What calls of undefined functions give besides numbers: what they write through their arguments, and arguments as results.

use std::collections::{BTreeMap, BTreeSet};

use covenant_goals::TestCase;
use covenant_goals::test_case::{CallInput, FIRST_VARIABLE, InputObject, Pointer, Root, Value};

use crate::subject::SubjectInfo;
use crate::value;

/// What is written through an argument of a call at one place.
#[derive(PartialEq, Debug)]
pub(crate) struct Block<'t> {
    pub(crate) function: &'t str,
    /// The number of the call, from 1.
    pub(crate) call: u32,
    /// The number of the argument.
    pub(crate) param: u32,
    /// Bytes from where it points.
    pub(crate) offset: u64,
    pub(crate) content: Content<'t>,
}

/// What is there afterwards.
#[derive(PartialEq, Debug)]
pub(crate) enum Content<'t> {
    Bytes(Vec<u8>),
    Pointer(&'t Pointer),
}

/// All that the calls of a test write; what lies side by side is one block.
pub(crate) fn blocks(test: &TestCase) -> Result<Vec<Block<'_>>, String> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for (call, number) in numbered(test) {
        let mut writes: Vec<_> = call.writes.iter().collect();
        writes.sort_by_key(|write| (write.param, write.offset));
        let first = blocks.len();
        for write in writes {
            let content = match &write.value {
                Value::Pointer(pointer) => Content::Pointer(pointer),
                scalar => Content::Bytes(value::bytes(scalar, 8)?),
            };
            let last = if blocks.len() > first { blocks.last_mut() } else { None };
            match (last, content) {
                (Some(Block { param, offset, content: Content::Bytes(bytes), .. }), Content::Bytes(more))
                    if *param == write.param && *offset + bytes.len() as u64 == write.offset =>
                {
                    bytes.extend(more);
                }
                (_, content) => {
                    let (function, param, offset) = (call.function.as_str(), write.param, write.offset);
                    blocks.push(Block { function, call: number, param, offset, content });
                }
            }
        }
    }
    Ok(blocks)
}

/// The bytes of a stream among the inputs.
pub(crate) fn content(test: &TestCase, object: &InputObject) -> Result<Vec<u8>, String> {
    let size = usize::try_from(object.count).map_err(|_| format!("object {} is too large", object.id))?;
    let mut bytes = vec![0; size];
    for cell in test.cells.iter().filter(|cell| cell.root == Root::Object(object.id)) {
        let place = usize::try_from(cell.offset).ok().and_then(|at| bytes.get_mut(at));
        if let (Some(place), Some(byte)) = (place, value::bytes(&cell.value, 8)?.first()) {
            *place = *byte;
        }
    }
    Ok(bytes)
}

/// The calls, each with its number among those of its function, from 1.
fn numbered(test: &TestCase) -> impl Iterator<Item = (&CallInput, u32)> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    test.calls.iter().map(move |call| {
        let count = counts.entry(&call.function).or_insert(0);
        *count += 1;
        (call, *count)
    })
}

/// What the stub of each function must be able to do in some test.
#[derive(Default, Debug)]
pub(crate) struct Uses {
    /// By function: the arguments that it writes through.
    writes: BTreeMap<String, BTreeSet<u32>>,
    /// By function: the arguments that are results.
    results: BTreeMap<String, BTreeSet<u32>>,
}

impl Uses {
    pub(crate) fn of(tests: &[TestCase]) -> Uses {
        let mut uses = Uses::default();
        for call in tests.iter().flat_map(|test| &test.calls) {
            if !call.writes.is_empty() {
                let written = uses.writes.entry(call.function.clone()).or_default();
                written.extend(call.writes.iter().map(|write| write.param));
            }
            if let Some(Value::Pointer(Pointer::Argument(param))) = call.value {
                uses.results.entry(call.function.clone()).or_default().insert(param);
            }
        }
        uses
    }

    /// What a function writes through: the numbers of arguments and variables, with what points there.
    pub(crate) fn written(&self, function: &str, params: &[String]) -> Vec<(u32, String)> {
        let place = |at: u32| match at.checked_sub(FIRST_VARIABLE) {
            Some(variable) => Some(format!("covenant_stub_variables[{variable}]")),
            None => params.get(at as usize).cloned(),
        };
        let numbers = self.writes.get(function).into_iter().flatten();
        numbers.filter_map(|&at| Some((at, place(at)?))).collect()
    }

    /// The arguments that a function returns.
    pub(crate) fn returned(&self, function: &str) -> impl Iterator<Item = u32> {
        self.results.get(function).into_iter().flatten().copied()
    }
}

/// The variables that stubs write, for their bodies: parameters may have the same names.
pub(crate) fn variables(subject: &SubjectInfo) -> String {
    if subject.stub_globals.is_empty() {
        return String::new();
    }
    let list: Vec<String> = subject.stub_globals.iter().map(|name| format!("(void *)&{name}")).collect();
    format!("\nstatic __attribute__((unused)) void *const covenant_stub_variables[] = {{ {} }};\n", list.join(", "))
}

#[cfg(test)]
mod tests {
    use covenant_goals::test_case::{CallWrite, Cell};

    use super::*;

    #[test]
    fn what_lies_side_by_side_is_one_block() {
        let write = |param, offset, bits: &str| CallWrite {
            param,
            offset,
            path: String::new(),
            value: Value::Int { bits: bits.into(), size: 1, signed: false },
        };
        let call = |writes| CallInput { function: "fill".into(), writes, ..CallInput::default() };
        let calls = vec![
            call(vec![write(0, 1, "2"), write(0, 0, "1"), write(0, 3, "4")]),
            call(vec![write(0, 4, "5"), write(1, 0, "6")]),
        ];
        let test = TestCase { calls, ..TestCase::default() };
        let found = blocks(&test).unwrap();
        let told: Vec<_> = found.iter().map(|b| (b.call, b.param, b.offset, &b.content)).collect();
        let bytes = |bytes: &[u8]| Content::Bytes(bytes.to_vec());
        assert_eq!(
            told,
            [(1, 0, 0, &bytes(&[1, 2])), (1, 0, 3, &bytes(&[4])), (2, 0, 4, &bytes(&[5])), (2, 1, 0, &bytes(&[6]))]
        );
        let uses = Uses::of(&[test]);
        let params = ["to".to_owned(), "end".to_owned()];
        assert_eq!(uses.written("fill", &params), [(0, "to".to_owned()), (1, "end".to_owned())]);
        assert_eq!(uses.written("fill", &params[..1]).len(), 1, "what has no name cannot be written through");
        assert_eq!(uses.returned("fill").count(), 0);
    }

    #[test]
    fn a_stream_has_as_many_bytes_as_the_run_knows() {
        let byte = |offset: u64, bits: &str| Cell {
            root: Root::Object(1),
            offset,
            path: format!("file[{offset}]"),
            value: Value::Int { bits: bits.into(), size: 1, signed: true },
        };
        let object = InputObject { id: 1, element_size: 1, count: 3, stream: true, ..InputObject::default() };
        let test = TestCase { cells: vec![byte(2, "120"), byte(0, "255"), byte(7, "1")], ..TestCase::default() };
        assert_eq!(content(&test, &object), Ok(vec![255, 0, 120]));
    }
}
