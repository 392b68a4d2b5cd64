//! The inputs of one run, in a form that outlives the run: a suite can be written from it.

use serde::{Deserialize, Serialize};

use crate::words::TestOutcome;

/// One test. Everything that the run read as input is in it, in the order in which the run first needed it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TestCase {
    pub name: String,
    pub function: String,
    /// Objects behind input pointers.
    pub objects: Vec<InputObject>,
    /// Values of scalars inside parameters, globals and objects. What is not named is zero.
    pub cells: Vec<Cell>,
    /// Results of calls that are inputs: undefined functions, `__VERIFIER_nondet_*` and the like, in the order of the calls.
    pub calls: Vec<CallInput>,
    /// Arguments of `main` behind the program's name, if they are inputs.
    pub args: Vec<Vec<u8>>,
    pub stdin: Vec<u8>,
    pub outcome: TestOutcome,
    /// Why the run ended, for a trap: kind, message, place.
    pub trap: Option<TrapNote>,
    /// What the run returned and left behind, for the regression oracle.
    pub observed: Observed,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct InputObject {
    /// From 1; 0 is no object.
    pub id: u32,
    /// How the source would name it: `*p`, `*(p->next)`.
    pub name: String,
    /// The element type as C, e.g. `struct node`; empty: bytes.
    pub c_type: String,
    pub element_size: u64,
    pub count: u64,
}

/// Where a cell lies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Root {
    Param(u32),
    Global(String),
    Object(u32),
}

/// One scalar.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Cell {
    pub root: Root,
    pub offset: u64,
    /// How the source would name it: `p->next`, `a[3]`, `x`.
    pub path: String,
    pub value: Value,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// `bits` are zero-extended to as many bytes as `size` says: a decimal number, or a hexadecimal one behind `0x`.
    Int {
        bits: String,
        size: u32,
        signed: bool,
    },
    /// The bits of a `float` (4 bytes), `double` (8) or `long double` (10), in hexadecimal.
    Float {
        bits: String,
        size: u32,
    },
    Pointer(Pointer),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pointer {
    Null,
    Object { id: u32, offset: i64 },
    Function(String),
}

/// The result of a call that is an input.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CallInput {
    pub function: String,
    /// Absent for a call whose result is not a value (`klee_make_symbolic` fills memory: see `bytes`).
    pub value: Option<Value>,
    /// What `klee_make_symbolic` and CREST's macros write through their pointer.
    pub bytes: Option<Vec<u8>>,
    /// The name that the program gave, for `klee_make_symbolic`.
    pub label: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TrapNote {
    pub kind: String,
    pub message: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// It happened inside the C library, another one of which may give an error instead: `fopen(NULL, "r")`, say.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub library: bool,
}

/// What a run returned and wrote.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Observed {
    pub returned: Option<Value>,
    pub exit_status: Option<i32>,
    /// Scalars of globals and input objects after the run, where they differ from the inputs.
    pub written: Vec<Cell>,
}
