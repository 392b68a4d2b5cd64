//! The intermediate representation: a small typed SSA form with block parameters.
//!
//! Everything after the front end (execution, search, proofs) sees the subject only through these types. Three
//! choices keep them small:
//!
//! * **Scalars only.** A value is an integer of 1 to 128 bits, one of three float formats, or a pointer. LLVM's
//!   first-class aggregates and vectors are taken apart by the lowering, so functions may return several values.
//! * **Block parameters, not phis.** An edge carries its arguments; a block never looks at its predecessors.
//! * **Constants are values** of the function that uses them, so an operand is always one [`Value`].
//!
//! The text form ([`text`]) prints and parses every program; [`crate::verify`] lists and checks the invariants.

mod entities;
mod function;
pub mod insert;
mod ops;
mod program;
mod target;
pub mod text;

pub use entities::{Block, FileId, FuncId, GlobalId, Inst, Value, VarId};
pub use function::{
    BlockData, Body, Def, Edge, Function, FunctionSource, InstData, Origin, Terminator, ValueData, Variable,
};
pub use ops::{
    BinaryOp, CallData, Callee, CastOp, Const, FloatCmp, IntCmp, Intrinsic, Op, OpFlags, Register, Type, UnaryOp,
    VarArg,
};
pub use program::{Global, Loc, Program, Reloc, SourceFile, Symbol, is_ordinary_space};

pub use crate::target::{Target, Variadic};
