//! The inputs of one run, in a form that outlives the run: a suite can be written from it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use crate::device::{Access, DeviceAccess, Register};
pub use crate::observed::{Allocated, Heard, LeftFile, Observed};
pub use crate::place::{Place, Root};
pub use crate::value::{BitField, Cell, Pointer, Value};
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
    /// Files and directories that are there when the program starts, if they are inputs; what is in a directory comes behind it.
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
    /// Run once more where all is otherwise that C leaves open, it did not come back, or looked at other inputs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub strays: bool,
}

impl TestCase {
    /// Whether two tests have the same inputs.
    pub fn has_same_inputs(&self, other: &TestCase) -> bool {
        (&self.cells, &self.objects, &self.calls, &self.args, &self.stdin, &self.files, &self.env, &self.failures)
            == (
                &other.cells,
                &other.objects,
                &other.calls,
                &other.args,
                &other.stdin,
                &other.files,
                &other.env,
                &other.failures,
            )
    }
}

/// Bytes with a name: a file, or a variable of the environment.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Named {
    /// Of the file, or of the variable.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Whether it is no file, but a directory.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub directory: bool,
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

/// What a call returns in parts, a struct or a union, as if there were an argument that points to it.
pub const RESULT_IN_PARTS: u32 = FIRST_VARIABLE - 1; // not tuning: a number that nothing else has

/// A scalar that a call writes through one of its arguments, or to a variable.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CallWrite {
    /// The number of the argument, or of the variable, from [`FIRST_VARIABLE`], or [`RESULT_IN_PARTS`].
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

impl TrapNote {
    /// The function that nothing defines with whose call a run ends, if it is that what happened.
    pub fn undefined_function(&self) -> Option<&str> {
        self.function_at_end().filter(|_| self.kind == "undefined-function")
    }

    /// The function that is not there for runs, with whose call this one ends: nothing defines it, or what it works on is missing.
    pub fn function_at_end(&self) -> Option<&str> {
        let (name, _) = self.message.strip_prefix("call of `")?.split_once("`, which ")?;
        matches!(self.kind.as_str(), "undefined-function" | "unsupported").then_some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_by_its_number() {
        let told = |call| Failure { function: "malloc".into(), call }.to_string();
        assert_eq!((told(1).as_str(), told(22).as_str()), ("the 1st malloc fails", "the 22nd malloc fails"));
        assert_eq!((told(13).as_str(), told(103).as_str()), ("the 13th malloc fails", "the 103rd malloc fails"));
    }
}
