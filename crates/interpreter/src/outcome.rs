//! How a run ends. A trap of the program is one of its outcomes, never an error of ours.

use covenant_program::ir::{FuncId, Loc};
use strum::{Display, EnumString, IntoStaticStr};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The entry function returned these bits, one entry a scalar.
    Returned(Vec<u128>),
    /// `exit` or the end of `main`.
    Exited(i32),
    /// The program sent itself a signal that ends it; the number of the signal.
    Killed(i32, Box<Trap>),
    Trapped(Box<Trap>),
    /// More instructions than [`crate::Limits::steps`].
    StepLimit(Box<Trap>),
    /// Somebody outside asked the run to end.
    Interrupted(Box<Trap>),
}

/// The program did something that ends it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trap {
    pub kind: TrapKind,
    pub message: String,
    /// The place in the subject: where the innermost function of the subject stood.
    pub at: Loc,
    /// All active calls, innermost first.
    pub stack: Vec<StackEntry>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StackEntry {
    pub function: FuncId,
    pub at: Loc,
}

/// The name in kebab case is what users see and what tests expect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum TrapKind {
    OutOfBounds,
    UseAfterFree,
    UseAfterReturn,
    DoubleFree,
    InvalidFree,
    NullPointer,
    WildPointer,
    WriteToConstant,
    Uninitialised,
    DivisionByZero,
    DivisionOverflow,
    SignedOverflow,
    BadShift,
    ArrayIndex,
    Unreachable,
    Assertion,
    Abort,
    Trap,
    Signal,
    StackOverflow,
    BadCall,
    BadJump,
    UndefinedFunction,
    Unsupported,
    /// Not a trap of the program: the inputs are not among those that the user assumes.
    OutsideInputs,
    MemoryLimit,
    StepLimit,
    Interrupted,
}

impl TrapKind {
    /// The status a shell shows for a native program that ends this way: 128 plus the signal, 124 as `timeout(1)`.
    pub fn exit_status(self) -> i32 {
        use TrapKind::*;
        match self {
            Assertion | Abort => 134,
            DivisionByZero | DivisionOverflow => 136,
            OutOfBounds | UseAfterFree | UseAfterReturn | DoubleFree | InvalidFree | NullPointer | WildPointer
            | WriteToConstant | StackOverflow | BadCall | BadJump => 139,
            Uninitialised | SignedOverflow | BadShift | ArrayIndex | Unreachable | Trap | Signal => 132,
            MemoryLimit => 137,
            StepLimit | Interrupted => 124,
            UndefinedFunction | Unsupported => 2,
            OutsideInputs => 0,
        }
    }
}
