//! The decoded instruction form: 16 bytes an operation, operands are register numbers of the frame.
//!
//! A register is a 64-bit word; integers are kept zero-extended, wide values (over 64 bits) take two words, low first.
//! Constants sit in registers of their own that are filled when the frame is made, so an operand is always a register.

use covenant_program::ir::{BinaryOp, Block, FloatCmp, FuncId, Inst, IntCmp, Intrinsic, Loc, Type, Value, VarArg};
use cranelift_entity::SecondaryMap;

use crate::memory::Label;
use crate::shadow::Mark;

pub(crate) type Reg = u32;

#[derive(Clone, Copy, Debug)]
pub(crate) struct R2 {
    pub(crate) d: Reg,
    pub(crate) a: Reg,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct R3 {
    pub(crate) d: Reg,
    pub(crate) a: Reg,
    pub(crate) b: Reg,
}

/// An integer operation that has no decoded form of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IntOp {
    pub(crate) op: BinaryOp,
    pub(crate) width: u8,
    /// Whether overflow (for shifts: a bad amount) is a trap.
    pub(crate) checked: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FloatFormat {
    F32,
    F64,
    F80,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
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
    /// Accesses that may be to a device.
    LoadVolatile(Type, R2),
    StoreVolatile(Type, R2),
    /// Index into [`Code::allocas`].
    Alloca(u32),
    /// Index into [`Code::calls`].
    Call(u32),
    /// Index into [`Code::intrinsics`].
    Intrinsic(u32),
    /// A coverage counter: nothing happens, but it is a step of the run.
    Counter,
    Unsupported(u32),
    /// The number that an address is goes on as an integer; `aside`: only for labels.
    Look {
        address: Reg,
        aside: bool,
    },
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
    /// The last of these, if they were not left out.
    GhostEnd,
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
pub(crate) struct Operand {
    pub(crate) reg: Reg,
    pub(crate) ty: Type,
}

#[derive(Debug)]
pub(crate) struct Cast {
    pub(crate) op: covenant_program::ir::CastOp,
    pub(crate) to: Operand,
    pub(crate) from: Operand,
}

#[derive(Debug)]
pub(crate) struct Select {
    pub(crate) cond: Reg,
    pub(crate) to: Operand,
    pub(crate) args: [Reg; 2],
}

#[derive(Debug)]
pub(crate) struct Offset {
    pub(crate) to: Reg,
    pub(crate) base: Reg,
    pub(crate) index: Option<Reg>,
    pub(crate) scale: i64,
    pub(crate) disp: i64,
    /// Length of the array that is indexed, to be checked; 0: nothing to check.
    pub(crate) count: u64,
}

#[derive(Debug)]
pub(crate) struct Alloca {
    pub(crate) to: Reg,
    pub(crate) size: Reg,
    pub(crate) align: u32,
    pub(crate) label: Label,
}

#[derive(Debug)]
pub(crate) enum Target {
    Direct(FuncId),
    Indirect(Reg),
}

#[derive(Debug)]
pub(crate) struct CallSite {
    pub(crate) target: Target,
    pub(crate) args: Box<[Operand]>,
    /// Whether anything reads a result.
    pub(crate) result_used: bool,
    /// Registers of the arguments word by word, which are the callee's first registers, if the types are known to agree.
    pub(crate) words: Option<Box<[Reg]>>,
    pub(crate) results: Box<[Operand]>,
    pub(crate) by_value: Box<[VarArg]>,
    pub(crate) inst: Inst,
}

#[derive(Debug)]
pub(crate) struct IntrinsicSite {
    pub(crate) op: Intrinsic,
    pub(crate) args: Box<[Operand]>,
    pub(crate) results: Box<[Operand]>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct BranchSite {
    pub(crate) n: u16,
    pub(crate) then: u32,
    pub(crate) other: u32,
}

#[derive(Debug)]
pub(crate) struct SwitchSite {
    pub(crate) value: Operand,
    /// Where each edge of the terminator lands, in the order of the IR: cases, then default.
    pub(crate) landings: Box<[u32]>,
    /// The values of the cases in that order.
    pub(crate) values: Box<[u128]>,
    pub(crate) cases: Cases,
    pub(crate) default: u32,
}

#[derive(Debug)]
pub(crate) enum Cases {
    /// Targets of `low`, `low + 1` …
    Dense { low: u64, targets: Box<[u32]> },
    /// In ascending order.
    Sparse(Box<[(u128, u32)]>),
}

#[derive(Debug)]
pub(crate) struct IndirectSite {
    pub(crate) address: Reg,
    /// The block and where its code begins.
    pub(crate) targets: Box<[(Block, u32)]>,
}

/// Where an operation comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub(crate) loc: Loc,
    pub(crate) block: Block,
}

/// A decoded function.
#[derive(Debug, Default)]
pub(crate) struct Code {
    /// The number of the function.
    pub(crate) function: u32,
    /// The operation of each block's terminator.
    pub(crate) terminators: Vec<u32>,
    pub(crate) ops: Vec<Op>,
    /// As long as `ops`.
    pub(crate) origins: Vec<Origin>,
    /// Registers of a frame.
    pub(crate) registers: u32,
    /// The first registers are the parameters.
    pub(crate) params: Box<[Operand]>,
    /// Constants fill the registers behind the parameters.
    pub(crate) constants: Vec<u64>,
    pub(crate) first_constant: u32,
    pub(crate) variadic: bool,
    pub(crate) casts: Vec<Cast>,
    pub(crate) selects: Vec<Select>,
    pub(crate) offsets: Vec<Offset>,
    pub(crate) allocas: Vec<Alloca>,
    pub(crate) calls: Vec<CallSite>,
    pub(crate) intrinsics: Vec<IntrinsicSite>,
    pub(crate) branches: Vec<BranchSite>,
    pub(crate) switches: Vec<SwitchSite>,
    pub(crate) indirects: Vec<IndirectSite>,
    pub(crate) returns: Vec<Box<[Operand]>>,
    pub(crate) unsupported: Vec<String>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) labels: Vec<LabelSite>,
    /// The register of each value, where there are marks.
    pub(crate) registers_of: SecondaryMap<Value, Reg>,
}

/// A label: it is reached where the condition is true.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LabelSite {
    pub(crate) index: u32,
    pub(crate) cond: Reg,
    pub(crate) inst: Inst,
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_operation_is_16_bytes() {
        assert_eq!(size_of::<super::Op>(), 16);
    }
}
