//! The decoded instruction form: 16 bytes an operation, operands are register numbers of the frame.
//!
//! A register is a 64-bit word; integers are kept zero-extended, wide values (over 64 bits) take two words, low first.
//! Constants sit in registers of their own that are filled when the frame is made, so an operand is always a register.

use covenant_program::ir::{BinaryOp, Block, FloatCmp, FuncId, Inst, IntCmp, Intrinsic, Loc, Type, Value, VarArg};
use cranelift_entity::SecondaryMap;

use crate::memory::Label;
use crate::shadow::{Limit, Mark};

pub type Reg = u32;

#[derive(Clone, Copy, Debug)]
pub struct R2 {
    pub d: Reg,
    pub a: Reg,
}

#[derive(Clone, Copy, Debug)]
pub struct R3 {
    pub d: Reg,
    pub a: Reg,
    pub b: Reg,
}

/// An integer operation that has no decoded form of its own.
#[derive(Clone, Copy, Debug)]
pub struct IntOp {
    pub op: BinaryOp,
    pub width: u8,
    /// Whether overflow (for shifts: a bad amount) is a trap.
    pub checked: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatFormat {
    F32,
    F64,
    F80,
}

#[derive(Clone, Copy, Debug)]
pub enum Op {
    Move(R2),
    Add32(R3),
    Sub32(R3),
    Mul32(R3),
    Add64(R3),
    Sub64(R3),
    Mul64(R3),
    And(u8, R3),
    Or(u8, R3),
    Xor(u8, R3),
    /// Any operation that cannot trap, at most 64 bits wide.
    Int(IntOp, R3),
    /// One that can: division, and what is to be checked.
    IntTrapping(IntOp, R3),
    Wide(IntOp, R3),
    /// The second field is 64 less the width.
    Cmp(IntCmp, u8, R3),
    WideCmp(IntCmp, u8, R3),
    Float(BinaryOp, FloatFormat, R3),
    FloatCmp(FloatCmp, FloatFormat, R3),
    FNeg(FloatFormat, R2),
    /// To the width: clears what is above it.
    Trunc(u8, R2),
    /// From the width, to the width; and so the next.
    SExt(u8, u8, R2),
    ZExt(u8, u8, R2),
    /// Index into [`Code::casts`].
    Cast(u32),
    /// Index into [`Code::selects`].
    Select(u32),
    PtrDisp {
        d: Reg,
        a: Reg,
        disp: i32,
    },
    PtrIndex {
        scale: u16,
        r: R3,
    },
    /// Index into [`Code::offsets`].
    PtrAdd(u32),
    Load8(R2),
    Load16(Type, R2),
    Load32(Type, R2),
    Load64(Type, R2),
    LoadOther(Type, R2),
    /// A load that may read what was never written, because all it keeps is written back: bit-fields.
    LoadQuiet(Type, R2),
    /// `d` is the address.
    Store8(R2),
    Store16(Type, R2),
    Store32(Type, R2),
    Store64(Type, R2),
    StoreOther(Type, R2),
    /// Index into [`Code::allocas`].
    Alloca(u32),
    /// Index into [`Code::calls`].
    Call(u32),
    /// Index into [`Code::intrinsics`].
    Intrinsic(u32),
    /// The coverage counter with this index.
    Counter(u32),
    Unsupported(u32),
    /// Something that the machine chooses and C does not.
    Limit(Limit),
    /// The number that an address is goes on as an integer.
    Look(Reg),
    /// Index into [`Code::marks`].
    Mark(u32),
    /// Index into [`Code::labels`].
    Label(u32),
    /// What follows up to `to` is only for the labels `first` and so many behind it.
    Ghost {
        labels: u16,
        first: u32,
        to: u32,
    },
    /// `n` is how many instructions of the IR the block has; jumps count them.
    Jump {
        n: u16,
        to: u32,
    },
    Branch {
        n: u16,
        cond: Reg,
        then: u32,
        other: u32,
    },
    /// A comparison that only its branch uses; the second field is 64 less the width. `site` is an index into
    /// [`Code::branches`].
    CmpBranch {
        cmp: IntCmp,
        shift: u8,
        a: Reg,
        b: Reg,
        site: u32,
    },
    /// Index into [`Code::switches`].
    Switch {
        n: u16,
        site: u32,
    },
    Indirect {
        n: u16,
        site: u32,
    },
    /// Counts instructions where a block has more than a jump can say.
    Count(u32),
    Return0 {
        n: u16,
    },
    Return1 {
        n: u16,
        a: Reg,
    },
    /// Index into [`Code::returns`].
    Return {
        n: u16,
        site: u32,
    },
    Unreachable,
}

#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub reg: Reg,
    pub ty: Type,
}

#[derive(Debug)]
pub struct Cast {
    pub op: covenant_program::ir::CastOp,
    pub to: Operand,
    pub from: Operand,
}

#[derive(Debug)]
pub struct Select {
    pub cond: Reg,
    pub to: Operand,
    pub args: [Reg; 2],
}

#[derive(Debug)]
pub struct Offset {
    pub to: Reg,
    pub base: Reg,
    pub index: Option<Reg>,
    pub scale: i64,
    pub disp: i64,
    /// Length of the array that is indexed, to be checked; 0: nothing to check.
    pub count: u64,
}

#[derive(Debug)]
pub struct Alloca {
    pub to: Reg,
    pub size: Reg,
    pub align: u32,
    pub label: Label,
}

#[derive(Debug)]
pub enum Target {
    Direct(FuncId),
    Indirect(Reg),
}

#[derive(Debug)]
pub struct CallSite {
    pub target: Target,
    pub args: Box<[Operand]>,
    /// Whether anything reads a result.
    pub result_used: bool,
    /// Registers of the arguments word by word, which are the callee's first registers, if the types are known to agree.
    pub words: Option<Box<[Reg]>>,
    pub results: Box<[Operand]>,
    pub by_value: Box<[VarArg]>,
    pub inst: Inst,
}

#[derive(Debug)]
pub struct IntrinsicSite {
    pub op: Intrinsic,
    pub args: Box<[Operand]>,
    pub results: Box<[Operand]>,
}

#[derive(Clone, Copy, Debug)]
pub struct BranchSite {
    pub n: u16,
    pub then: u32,
    pub other: u32,
}

#[derive(Debug)]
pub struct SwitchSite {
    pub value: Operand,
    /// Where each edge of the terminator lands, in the order of the IR: cases, then default.
    pub landings: Box<[u32]>,
    /// The values of the cases in that order.
    pub values: Box<[u128]>,
    pub cases: Cases,
    pub default: u32,
}

#[derive(Debug)]
pub enum Cases {
    /// Targets of `low`, `low + 1` …
    Dense { low: u64, targets: Box<[u32]> },
    /// In ascending order.
    Sparse(Box<[(u128, u32)]>),
}

#[derive(Debug)]
pub struct IndirectSite {
    pub address: Reg,
    /// The block and where its code begins.
    pub targets: Box<[(Block, u32)]>,
}

/// Where an operation comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    pub loc: Loc,
    pub block: Block,
}

/// A decoded function.
#[derive(Debug, Default)]
pub struct Code {
    /// The number of the function.
    pub function: u32,
    /// The operation of each block's terminator.
    pub terminators: Vec<u32>,
    pub ops: Vec<Op>,
    /// As long as `ops`.
    pub origins: Vec<Origin>,
    /// Registers of a frame.
    pub registers: u32,
    /// The first registers are the parameters.
    pub params: Box<[Operand]>,
    /// Constants fill the registers behind the parameters.
    pub constants: Vec<u64>,
    pub first_constant: u32,
    pub variadic: bool,
    pub casts: Vec<Cast>,
    pub selects: Vec<Select>,
    pub offsets: Vec<Offset>,
    pub allocas: Vec<Alloca>,
    pub calls: Vec<CallSite>,
    pub intrinsics: Vec<IntrinsicSite>,
    pub branches: Vec<BranchSite>,
    pub switches: Vec<SwitchSite>,
    pub indirects: Vec<IndirectSite>,
    pub returns: Vec<Box<[Operand]>>,
    pub unsupported: Vec<String>,
    pub marks: Vec<Mark>,
    pub labels: Vec<LabelSite>,
    /// The register of each value, where there are marks.
    pub registers_of: SecondaryMap<Value, Reg>,
}

/// A label: it is reached where the condition is true.
#[derive(Clone, Copy, Debug)]
pub struct LabelSite {
    pub index: u32,
    pub cond: Reg,
    pub inst: Inst,
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_operation_is_16_bytes() {
        assert_eq!(size_of::<super::Op>(), 16);
    }
}
