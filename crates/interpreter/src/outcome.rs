//! How a run ends. A trap of the program is one of its outcomes, never an error of ours.

use covenant_program::ir::{FuncId, Loc};
use strum::{Display, EnumString, IntoStaticStr};

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The entry function returned these bits, one entry a scalar.
    Returned(Vec<u128>),
    /// `exit` or the end of `main`.
    Exited(i32),
    /// The program sent itself a signal that ends it; the number of the signal.
    Killed(i32, Box<Trap>),
    /// The program did what C forbids, or ended itself by force.
    Trapped(Box<Trap>),
    /// More instructions than [`crate::Limits::steps`].
    StepLimit(Box<Trap>),
    /// Somebody outside asked the run to end.
    Interrupted(Box<Trap>),
}

/// The program did something that ends it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trap {
    /// What it was.
    pub kind: TrapKind,
    /// For the user, with the values that are involved.
    pub message: String,
    /// The place in the subject: where the innermost function of the subject stood.
    pub at: Loc,
    /// All active calls, innermost first.
    pub stack: Vec<StackEntry>,
    /// The object and the bytes that it is about.
    pub about: Option<About>,
}

/// What was accessed that cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct About {
    /// Where the object begins; 0: there is none, and the offset is the address.
    pub base: u64,
    /// Bytes from there.
    pub offset: i64,
    /// How many were accessed.
    pub size: u64,
}

/// An active call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StackEntry {
    /// Who was called.
    pub function: FuncId,
    /// Where it stood: at a call, or for the innermost at the trap.
    pub at: Loc,
}

/// The name in kebab case is what users see and what tests expect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum TrapKind {
    /// An access beyond an object.
    OutOfBounds,
    /// An access to what was freed.
    UseAfterFree,
    /// An access to a local of a function that is over.
    UseAfterReturn,
    /// `free` of what was freed before.
    DoubleFree,
    /// `free` of what `malloc` did not give.
    InvalidFree,
    /// An access through a null pointer, or a little behind it.
    NullPointer,
    /// An access to an address where there is no object.
    WildPointer,
    /// A write to a literal or a constant.
    WriteToConstant,
    /// A use of what was never written.
    Uninitialised,
    /// An integer division by 0.
    DivisionByZero,
    /// The least number divided by -1.
    DivisionOverflow,
    /// A signed result that does not fit.
    SignedOverflow,
    /// A shift by a negative amount, or by the width or more.
    BadShift,
    /// An index past the end of an array inside a larger object.
    ArrayIndex,
    /// Control came to where the source promises that it does not.
    Unreachable,
    /// An `assert` that does not hold.
    Assertion,
    /// `abort()`
    Abort,
    /// `__builtin_trap()`
    Trap,
    /// A signal that ends the program.
    Signal,
    /// More nested calls or larger locals than a stack has room for.
    StackOverflow,
    /// A call through a pointer to no function, or to one of another type.
    BadCall,
    /// A `longjmp` or a computed `goto` to where it cannot lead.
    BadJump,
    /// A call of what nobody defines.
    UndefinedFunction,
    /// Something that Covenant cannot do; nothing is said of the program.
    Unsupported,
    /// Not a trap of the program: the inputs are not among those that the user assumes.
    OutsideInputs,
    /// More inputs than a run may ask for.
    InputLimit,
    /// More memory than a run may have.
    MemoryLimit,
    /// More instructions than a run may have.
    StepLimit,
    /// Somebody outside asked the run to end.
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
            UndefinedFunction | Unsupported | InputLimit => 2,
            OutsideInputs => 0,
        }
    }
}
