//! A test that is there, as what a run starts from: each input by its name. What the code reads beyond it has its default,
//! and what is no longer read plays no part, so a test of older code is of use too.

use std::collections::HashMap;

use covenant_goals::TestCase;
use covenant_goals::test_case::{InputObject, Pointer, Root, Value};

use super::{devices, process};

/// A test of an earlier run, to begin with.
#[derive(Clone, Debug, Default)]
pub struct Seed {
    scalars: HashMap<String, u128>,
    pointers: HashMap<String, Pointer>,
    /// Where in an object the pointer points that it was made for, in bytes, where that is not its start.
    entries: HashMap<u32, u64>,
    /// Objects of the test that the run has made, by the number that they have in the test: their roots.
    made: HashMap<u32, u32>,
}

impl Seed {
    /// The inputs of a test.
    pub fn new(test: &TestCase) -> Seed {
        let mut seed = Seed::default();
        let shifted: HashMap<u32, Shifted<'_>> =
            test.objects.iter().filter_map(|o| Some((o.id, Shifted::read(o)?))).collect();
        for cell in &test.cells {
            let shifted = match cell.root {
                Root::Object(id) => shifted.get(&id),
                _ => None,
            };
            let name = shifted.and_then(|object| object.run_name(&cell.path)).unwrap_or_else(|| cell.path.clone());
            match &cell.value {
                Value::Pointer(pointer) => {
                    seed.pointers.insert(name, pointer.clone());
                }
                value => seed.scalars.extend(bits(value).map(|bits| (name, bits))),
            }
        }
        for object in test.objects.iter().filter(|object| object.stream) {
            seed.scalars.extend((0..object.count).map(|at| (format!("{}.has[{at}]", object.name), 1)));
        }
        seed.entries = shifted.iter().map(|(id, object)| (*id, object.entry)).collect();
        let mut calls: HashMap<String, u32> = HashMap::new();
        for call in &test.calls {
            let name = match &call.bytes {
                Some(_) => format!("{}({})", call.function, call.label.as_deref().unwrap_or_default()),
                None => call.function.clone(),
            };
            let count = calls.entry(name.clone()).or_insert(0);
            *count += 1;
            let value = call.value.as_ref().and_then(bits);
            seed.scalars.extend(value.map(|bits| (format!("{name}#{count}.0"), bits)));
            if let Some(Value::Pointer(pointer)) = &call.value {
                seed.pointers.insert(format!("{name}_{count}"), pointer.clone());
            }
            for write in &call.writes {
                match &write.value {
                    Value::Pointer(pointer) => {
                        seed.pointers.insert(write.path.clone(), pointer.clone());
                    }
                    value => seed.scalars.extend(bits(value).map(|bits| (write.path.clone(), bits))),
                }
            }
            let bytes = call.bytes.iter().flatten().enumerate();
            seed.scalars.extend(bytes.map(|(i, byte)| (format!("{name}#{count}[{i}]"), u128::from(*byte))));
        }
        let failures = test.failures.iter().map(|failure| (failure.to_string(), 1));
        seed.scalars.extend(failures);
        seed.scalars.extend(process::seeds(test));
        seed.scalars.extend(devices::seeds(test));
        seed
    }

    pub(super) fn bits(&self, name: &str) -> Option<u128> {
        self.scalars.get(name).copied()
    }

    pub(super) fn pointer(&self, name: &str) -> Option<&Pointer> {
        self.pointers.get(name)
    }

    /// How many elements of this size a pointer of the test is behind the one that its object was made for, or behind the start
    /// of an array in it.
    pub(super) fn distance(&self, name: &str, start: u64, size: u64) -> Option<i64> {
        let Pointer::Object { id, offset } = self.pointers.get(name)? else { return None };
        let entry = i64::try_from(self.entries.get(id).copied().unwrap_or(start)).ok()?;
        offset.checked_sub(entry)?.checked_div(i64::try_from(size).ok()?)
    }

    /// The root of an object of the test, if the run has made it.
    pub(super) fn root(&self, object: u32) -> Option<u32> {
        self.made.get(&object).copied()
    }

    /// The pointer of this name has got a fresh object.
    pub(super) fn made(&mut self, name: &str, root: u32) {
        if let Some(Pointer::Object { id, .. }) = self.pointers.get(name) {
            self.made.insert(*id, root);
        }
    }
}

/// An object that has elements before its pointer: a test calls it `(s - 8)`, and its parts by their index from there.
struct Shifted<'t> {
    whole: &'t str,
    pointer: &'t str,
    shift: u64,
    entry: u64,
}

impl Shifted<'_> {
    fn read(object: &InputObject) -> Option<Shifted<'_>> {
        let (pointer, shift) = object.name.strip_prefix('(')?.strip_suffix(')')?.rsplit_once(" - ")?;
        let shift = shift.parse::<u64>().ok()?;
        Some(Shifted { whole: &object.name, pointer, shift, entry: shift.checked_mul(object.element_size)? })
    }

    /// What runs call a part of it.
    fn run_name(&self, path: &str) -> Option<String> {
        let (index, rest) = path.strip_prefix(self.whole)?.strip_prefix('[')?.split_once(']')?;
        let index = index.parse::<i64>().ok()?.checked_sub_unsigned(self.shift)?;
        Some(format!("{}[{index}]{rest}", self.pointer))
    }
}

fn bits(value: &Value) -> Option<u128> {
    let (Value::Int { bits, .. } | Value::Float { bits, .. }) = value else { return None };
    match bits.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16).ok(),
        None => bits.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use covenant_goals::test_case::{CallInput, Cell};

    use super::*;

    #[test]
    fn inputs_have_the_names_of_variables() {
        let int = |bits: &str| Value::Int { bits: bits.into(), size: 4, signed: true };
        let cell = |path: &str, value| Cell { root: Root::Param(0), offset: 0, path: path.into(), value };
        let call = |value, bytes| CallInput { function: "get".into(), value, bytes, ..CallInput::default() };
        let test = TestCase {
            cells: vec![cell("x", int("0x10")), cell("p", Value::Pointer(Pointer::Object { id: 2, offset: 0 }))],
            calls: vec![call(Some(int("7")), None), call(Some(int("8")), None), call(None, Some(vec![1, 2]))],
            ..TestCase::default()
        };
        let mut seed = Seed::new(&test);
        assert_eq!((seed.bits("x"), seed.bits("y")), (Some(16), None));
        assert_eq!((seed.bits("get#2.0"), seed.bits("get()#1[1]")), (Some(8), Some(2)));
        assert_eq!(seed.root(2), None);
        seed.made("p", 5);
        assert_eq!(seed.root(2), Some(5));
    }

    #[test]
    fn parts_before_a_pointer_have_indices_from_there() {
        let value = Value::Int { bits: "5".into(), size: 4, signed: true };
        let path = "((*r).pos - 8)[7]".to_owned();
        let pointer = |path: &str, offset| {
            let value = Value::Pointer(Pointer::Object { id: 1, offset });
            Cell { root: Root::Param(0), offset: 0, path: path.into(), value }
        };
        let test = TestCase {
            objects: vec![InputObject {
                id: 1,
                name: "((*r).pos - 8)".into(),
                c_type: "int".into(),
                element_size: 4,
                count: 24,
                scalar: true,
                flexible: false,
                heap: false,
                stream: false,
                used: None,
            }],
            cells: vec![
                pointer("(*r).pos", 32),
                pointer("(*r).end", 44),
                Cell { root: Root::Object(1), offset: 28, path, value },
            ],
            ..TestCase::default()
        };
        let seed = Seed::new(&test);
        assert_eq!(seed.bits("(*r).pos[-1]"), Some(5));
        assert_eq!((seed.distance("(*r).pos", 0, 4), seed.distance("(*r).end", 0, 4)), (Some(0), Some(3)));
    }
}
