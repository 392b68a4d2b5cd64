//! The inputs of one run, in a form that outlives the run: a suite can be written from it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use crate::device::{Access, DeviceAccess, Register};
pub use crate::place::{Place, Root};
use crate::words::TestOutcome;

/// One test. Everything that the run read as input is in it, in the order in which the run first needed it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TestCase {
    /// Unique in the suite.
    pub name: String,
    /// The function under test.
    pub function: String,
    /// Objects behind input pointers.
    pub objects: Vec<InputObject>,
    /// Values of scalars inside parameters, globals and objects. What is not named is zero.
    pub cells: Vec<Cell>,
    /// The bit-fields among them, of which cells are the bytes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bits: Vec<BitField>,
    /// The enumerators that cells are, by their paths.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub enumerators: BTreeMap<String, String>,
    /// Results of calls that are inputs: undefined functions, `__VERIFIER_nondet_*` and the like, in the order of the calls.
    pub calls: Vec<CallInput>,
    /// Calls of the C library that fail.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
    /// Accesses to device registers, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub device: Vec<DeviceAccess>,
    /// Whether there are more of volatile objects than these, from which on nobody else changes them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more_volatile: bool,
    /// Arguments of `main` behind the program's name, if they are inputs.
    pub args: Vec<Vec<u8>>,
    /// What the program reads there.
    pub stdin: Vec<u8>,
    /// Files that are there when the program starts, if they are inputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<Named>,
    /// Variables of its environment, if they are inputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<Named>,
    /// How its run ended.
    pub outcome: TestOutcome,
    /// Why the run ended, for a trap: kind, message, place.
    pub trap: Option<TrapNote>,
    /// What the run returned and left behind, for the regression oracle.
    pub observed: Observed,
    /// The file in which people say what is expected of it; `None`: what the code did is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_by: Option<String>,
    /// What the run depends on that C leaves open, in words: natively it may go otherwise, and then it confirms nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<String>,
}

/// Bytes with a name: a file, or a variable of the environment.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Named {
    /// Of the file, or of the variable.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Memory that inputs point to.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct InputObject {
    /// From 1; 0 is no object.
    pub id: u32,
    /// How the source would name it: `*p`, `*(p->next)`.
    pub name: String,
    /// The element type as C, e.g. `struct node`; empty: bytes.
    pub c_type: String,
    /// In bytes.
    pub element_size: u64,
    /// How many there are.
    pub count: u64,
    /// Whether an element is a scalar.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scalar: bool,
    /// Whether the object is larger than its type, for a flexible array at its end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flexible: bool,
    /// Whether it is a stream: its content has as many bytes, and is what its cells say.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stream: bool,
    /// Whether the code frees it, so that it must come from the heap.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub heap: bool,
    /// How many of them the run looked at or wrote, from the first on; `None`: not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<u64>,
}

/// One scalar.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// What it is part of.
    pub root: Root,
    /// Bytes from the start of that.
    pub offset: u64,
    /// How the source would name it: `p->next`, `a[3]`, `x`.
    pub path: String,
    /// What is there.
    pub value: Value,
}

/// A scalar of the program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// `bits` are zero-extended to as many bytes as `size` says: a decimal number, or a hexadecimal one behind `0x`.
    Int {
        /// Hexadecimal, as in memory.
        bits: String,
        /// In bytes.
        size: u32,
        /// Whether the type has a sign.
        signed: bool,
    },
    /// The bits of a `float` (4 bytes), `double` (8) or `long double` (10), in hexadecimal.
    Float {
        /// Hexadecimal, as in memory.
        bits: String,
        /// In bytes.
        size: u32,
    },
    /// An address.
    Pointer(Pointer),
}

/// What a pointer points to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pointer {
    /// Nothing.
    Null,
    /// An input object, or a place in it.
    Object {
        /// Its number.
        id: u32,
        /// Bytes from its start.
        offset: i64,
    },
    /// A function by its name.
    Function(String),
    /// What an argument of the call points to whose result it is, by its number.
    Argument(u32),
    /// A global, or a place in it. Only the end of a run has these.
    Global {
        /// Its name in the source.
        name: String,
        /// Bytes from its start.
        offset: i64,
    },
    /// Something that the run made, or a constant without a name: what matters is what is behind it. Only the end of a run
    /// has these.
    Other,
}

/// The result of a call that is an input.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CallInput {
    /// The function that was called.
    pub function: String,
    /// Absent for a call whose result is not a value (`klee_make_symbolic` fills memory: see `bytes`).
    pub value: Option<Value>,
    /// What `klee_make_symbolic` and CREST's macros write through their pointer.
    pub bytes: Option<Vec<u8>>,
    /// The name that the program gave, for `klee_make_symbolic`.
    pub label: Option<String>,
    /// What the call writes through its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<CallWrite>,
}

/// The number of the first variable that calls write, as if it were an argument.
pub const FIRST_VARIABLE: u32 = 1000; // not tuning: no function has so many arguments

/// A scalar that a call writes through one of its arguments, or to a variable.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CallWrite {
    /// The number of the argument, or of the variable, from [`FIRST_VARIABLE`].
    pub param: u32,
    /// Bytes from where it points.
    pub offset: u64,
    /// How runs name it.
    pub path: String,
    /// What is written.
    pub value: Value,
}

/// A call of the C library that fails, though it need not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// The function.
    pub function: String,
    /// Which of its calls by the code under test, from 1.
    pub call: u32,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let end = match (self.call % 10, self.call % 100) {
            (1..=3, 11..=13) => "th",
            (1, _) => "st",
            (2, _) => "nd",
            (3, _) => "rd",
            _ => "th",
        };
        write!(f, "the {}{end} {} fails", self.call, self.function)
    }
}

/// A run-time error that a test ends with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TrapNote {
    /// A word for it.
    pub kind: String,
    /// What happened.
    pub message: String,
    /// Where it happens.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// It happened inside the C library, another one of which may give an error instead: `fopen(NULL, "r")`, say.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub library: bool,
}

/// What a run returned and wrote.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Observed {
    /// By the function under test.
    pub returned: Option<Value>,
    /// Of a process that ended itself.
    pub exit_status: Option<i32>,
    /// Scalars of globals, input objects, the result and what the run made, where they differ from the inputs.
    pub written: Vec<Cell>,
    /// The same for bit-fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bits: Vec<BitField>,
    /// The enumerators that some of these are, by their paths.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub enumerators: BTreeMap<String, String>,
    /// What errno is afterwards; `None`: the code has nothing to do with it, or it may be something else elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errno: Option<i32>,
    /// What was written to standard output; `None`: too much, or something else elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Vec<u8>>,
    /// The same for standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Vec<u8>>,
    /// Calls of undefined functions and of a caller's callbacks, in their order; `None`: nobody looked, or they are others elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<Vec<Heard>>,
    /// What it made on the heap and did not free; `None`: the code has nothing to do with the heap, or it is something else elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocated: Option<Allocated>,
    /// What the run wrote and C leaves open: it would be something else elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<String>,
}

/// What is on the heap when a run is over, of what the code under test made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Allocated {
    /// How many objects.
    pub objects: u64,
    /// How many of them no pointer leads to that a caller has: nobody can free them any more.
    pub lost: u64,
}

impl Allocated {
    /// What is to be said of those that are lost.
    pub fn words(self) -> Option<String> {
        match (self.lost, self.objects) {
            (0, _) => None,
            (1, 1) => Some("nobody has a pointer to it any more: it is lost".to_owned()),
            (lost, all) if lost == all => Some("nobody has a pointer to them any more: they are lost".to_owned()),
            (1, _) => Some("nobody has a pointer to one of them any more: it is lost".to_owned()),
            (lost, _) => Some(format!("nobody has a pointer to {lost} of them any more: they are lost")),
        }
    }
}

/// A call of a function that is none of the code under test.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Heard {
    /// By its name in the source.
    pub function: String,
    /// As they are passed; `None`: something else elsewhere.
    pub arguments: Vec<Option<Value>>,
}

/// A bit-field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BitField {
    /// What it is part of.
    pub root: Root,
    /// Bytes from the start of that to the byte that has its first bit.
    pub offset: u64,
    /// How the source would name it.
    pub path: String,
    /// The first bit, from the lowest of that byte.
    pub first: u32,
    /// How many bits it has.
    pub width: u32,
    /// What is there, a decimal number.
    pub value: String,
}

impl Observed {
    /// Keeps what is the same in another run of the test, one in which all that C leaves open was chosen otherwise; `None`: the
    /// other run ended otherwise, or had other inputs.
    pub fn keep_what_agrees(&mut self, other: Option<&Observed>) {
        let nothing = Observed::default();
        let same = other.unwrap_or(&nothing);
        let mut open: Vec<String> = Vec::new();
        let mut leave = |path: &str| {
            if !open.iter().any(|known| known == path) {
                open.push(path.to_owned());
            }
        };
        if self.returned.is_some() && self.returned != same.returned {
            self.returned = None;
            leave("result");
        }
        for cell in self.written.iter().filter(|cell| !same.written.contains(cell)) {
            leave(&cell.path);
        }
        for field in self.bits.iter().filter(|field| !same.bits.contains(field)) {
            leave(&field.path);
        }
        // What only the other run wrote says that this one would have, too.
        for cell in same.written.iter().filter(|cell| !self.written.contains(cell)) {
            leave(&cell.path);
        }
        self.written.retain(|cell| same.written.contains(cell));
        self.bits.retain(|field| same.bits.contains(field));
        if self.exit_status.is_some() && self.exit_status != same.exit_status {
            self.exit_status = None;
            leave("exit status");
        }
        if self.errno.is_some() && self.errno != same.errno {
            self.errno = None;
            leave("errno");
        }
        for (mine, other, name) in
            [(&mut self.output, &same.output, "standard output"), (&mut self.error, &same.error, "standard error")]
        {
            if mine.is_some() && mine != other {
                *mine = None;
                leave(name);
            }
        }
        if self.allocated.is_some() && self.allocated != same.allocated {
            self.allocated = None;
            leave("memory that is still allocated");
        }
        let names = |calls: &Option<Vec<Heard>>| -> Option<Vec<(String, usize)>> {
            calls.as_ref().map(|calls| calls.iter().map(|c| (c.function.clone(), c.arguments.len())).collect())
        };
        if self.calls.is_some() && names(&self.calls) != names(&same.calls) {
            self.calls = None;
            leave("calls of undefined functions");
        }
        for (call, other) in self.calls.iter_mut().flatten().zip(same.calls.iter().flatten()) {
            for (argument, _) in call.arguments.iter_mut().zip(&other.arguments).filter(|(a, b)| a != b) {
                *argument = None;
                leave(&format!("what {} gets", call.function));
            }
        }
        self.open.extend(open);
    }

    /// Whether a test that expects this fails where a run leaves that behind.
    pub fn tells_from(&self, other: &Observed) -> bool {
        let arguments = |mine: &Heard, other: &Heard| {
            let same = |(mine, other): (&Option<Value>, &Option<Value>)| mine.is_none() || mine == other;
            mine.function == other.function && mine.arguments.iter().zip(&other.arguments).all(same)
        };
        let heard = |mine: &Vec<Heard>| {
            let calls = other.calls.as_deref().unwrap_or_default();
            mine.len() == calls.len() && mine.iter().zip(calls).all(|(mine, other)| arguments(mine, other))
        };
        self.returned.is_some() && self.returned != other.returned
            || self.written.iter().any(|cell| !other.written.contains(cell))
            || self.bits.iter().any(|field| !other.bits.contains(field))
            || self.errno.is_some() && self.errno != other.errno
            || self.output.is_some() && self.output != other.output
            || self.error.is_some() && self.error != other.error
            || self.allocated.is_some_and(|mine| other.allocated.is_none_or(|other| mine.objects != other.objects))
            || self.calls.as_ref().is_some_and(|calls| !heard(calls))
    }

    /// Whether something was written to standard output or error.
    pub fn has_output(&self) -> bool {
        [&self.output, &self.error].into_iter().flatten().any(|text| !text.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(path: &str, bits: &str) -> Cell {
        let value = Value::Int { bits: bits.into(), size: 4, signed: true };
        Cell { root: Root::Object(1), offset: 0, path: path.into(), value }
    }

    #[test]
    fn a_failure_is_told_by_its_number() {
        let told = |call| Failure { function: "malloc".into(), call }.to_string();
        assert_eq!((told(1).as_str(), told(22).as_str()), ("the 1st malloc fails", "the 22nd malloc fails"));
        assert_eq!((told(13).as_str(), told(103).as_str()), ("the 13th malloc fails", "the 103rd malloc fails"));
    }

    #[test]
    fn what_differs_elsewhere_is_open() {
        let here = Observed { written: vec![cell("a", "1"), cell("b", "2")], ..Observed::default() };
        let there = Observed { written: vec![cell("a", "1"), cell("b", "3"), cell("c", "4")], ..Observed::default() };
        let mut kept = here.clone();
        kept.keep_what_agrees(Some(&there));
        assert_eq!((kept.written, kept.open), (vec![cell("a", "1")], vec!["b".to_owned(), "c".to_owned()]));
        let mut kept = here.clone();
        kept.keep_what_agrees(None);
        assert_eq!((kept.written, kept.open), (Vec::new(), vec!["a".to_owned(), "b".to_owned()]));
    }

    #[test]
    fn what_is_expected_tells_runs_apart() {
        let expected = Observed { written: vec![cell("a", "1")], ..Observed::default() };
        let more = Observed { written: vec![cell("a", "1"), cell("b", "2")], ..Observed::default() };
        let other = Observed { written: vec![cell("a", "2")], ..Observed::default() };
        assert!(!expected.tells_from(&more), "what nobody expects is nothing that a test notices");
        assert!(expected.tells_from(&other) && expected.tells_from(&Observed::default()));
        let heard = |arguments| Observed {
            calls: Some(vec![Heard { function: "log".into(), arguments }]),
            ..Observed::default()
        };
        let number = Some(Value::Int { bits: "1".into(), size: 4, signed: true });
        assert!(!heard(vec![None]).tells_from(&heard(vec![number.clone()])), "what is open is not compared");
        assert!(heard(vec![number]).tells_from(&heard(vec![None])));
    }

    #[test]
    fn what_is_done_outside_may_be_open_too() {
        let number = |bits: &str| Some(Value::Int { bits: bits.into(), size: 4, signed: true });
        let heard = |bits: &str| Heard { function: "f".into(), arguments: vec![number("1"), number(bits)] };
        let here = Observed {
            errno: Some(2),
            output: Some(b"a".to_vec()),
            error: Some(Vec::new()),
            calls: Some(vec![heard("2")]),
            allocated: Some(Allocated { objects: 2, lost: 1 }),
            ..Observed::default()
        };
        let there = Observed { output: Some(b"b".to_vec()), calls: Some(vec![heard("3")]), ..here.clone() };
        let mut kept = here.clone();
        kept.keep_what_agrees(Some(&there));
        assert_eq!((kept.errno, &kept.output, kept.error.as_deref()), (Some(2), &None, Some(&[][..])));
        assert_eq!(kept.calls.as_ref().map(|calls| calls[0].arguments.clone()), Some(vec![number("1"), None]));
        assert_eq!(kept.open, ["standard output", "what f gets"]);
        assert_eq!(kept.allocated.and_then(Allocated::words).map(|words| words.contains("one of them")), Some(true));
        let mut kept = here;
        kept.keep_what_agrees(Some(&Observed { calls: Some(Vec::new()), allocated: None, ..there }));
        assert_eq!((kept.calls, kept.allocated), (None, None));
    }
}
