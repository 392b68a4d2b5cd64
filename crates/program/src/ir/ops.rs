//! Types, constants and instructions.

use cranelift_entity::packed_option::PackedOption;
use strum::{Display, EnumString, IntoStaticStr};

use super::{Block, FuncId, GlobalId, Value};

/// The type of an SSA value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// An integer of 1 to 128 bits; signedness is a matter of the operations.
    Int(u8),
    F32,
    F64,
    /// The x87 80-bit format, `long double` on x86-64. 16 bytes in memory, 10 of them used.
    F80,
    Ptr,
}

/// Where an argument travels in a call, by the System V ABI of x86-64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Register {
    General,
    Float,
    /// `long double` goes through memory.
    X87,
}

impl Type {
    pub const BOOL: Type = Type::Int(1);
    pub const I8: Type = Type::Int(8);
    pub const I32: Type = Type::Int(32);
    pub const I64: Type = Type::Int(64);

    /// Significant bits of a value.
    pub fn bits(self) -> u32 {
        match self {
            Type::Int(w) => u32::from(w),
            Type::F32 => 32,
            Type::F64 | Type::Ptr => 64,
            Type::F80 => 80,
        }
    }

    /// Bytes that a load reads or a store writes.
    pub fn store_size(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// Whether a value needs two 64-bit words.
    pub fn is_wide(self) -> bool {
        self.bits() > 64
    }

    /// Where an argument of this type travels.
    pub fn register(self) -> Register {
        match self {
            Type::Int(_) | Type::Ptr => Register::General,
            Type::F32 | Type::F64 => Register::Float,
            Type::F80 => Register::X87,
        }
    }

    pub fn is_int(self) -> bool {
        matches!(self, Type::Int(_))
    }

    pub fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64 | Type::F80)
    }
}

/// A constant operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Const {
    /// Bits of an integer, zero-extended, or of a float in its own format. The null pointer is `Bits(0)`.
    Bits(u128),
    /// The address of a global plus a byte offset.
    Global(GlobalId, i64),
    Func(FuncId),
    /// The address of a label (`&&label`).
    Label(FuncId, Block),
    /// LLVM's undef or poison: the program read something that was never written.
    Undef,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum UnaryOp {
    FNeg,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

impl BinaryOp {
    pub fn is_float(self) -> bool {
        matches!(self, BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem)
    }

    pub fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr)
    }

    pub fn is_division(self) -> bool {
        matches!(self, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem)
    }
}

/// What the source promises about an integer operation: breaking it is undefined behaviour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct OpFlags {
    /// No signed wrap: clang sets it on the signed `+ - *` of C.
    pub nsw: bool,
    /// No unsigned wrap.
    pub nuw: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum IntCmp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// `o…` is false, `u…` is true when an operand is NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum FloatCmp {
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    FpTrunc,
    FpExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    PtrToInt,
    IntToPtr,
    /// Same bits, other type: between an integer and a float of the same width.
    Bitcast,
}

/// Operations that C reaches through builtins or that the ABI needs. Operands in brackets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Intrinsic {
    /// (to, from, bytes): the ranges are disjoint or equal.
    MemCpy,
    /// (to, from, bytes)
    MemMove,
    /// (to, byte: i8, bytes)
    MemSet,
    /// (list): fills the System V `va_list` of this variadic function.
    VaStart,
    VaEnd,
    /// (to, from)
    VaCopy,
    /// () → ptr: a mark for [`Intrinsic::StackRestore`].
    StackSave,
    /// (mark): ends the life of what was allocated on the stack since the mark.
    StackRestore,
    /// (a, b) → (wrapped result, overflowed: i1), and so the next five.
    SAddOverflow,
    UAddOverflow,
    SSubOverflow,
    USubOverflow,
    SMulOverflow,
    UMulOverflow,
    SAddSat,
    UAddSat,
    SSubSat,
    USubSat,
    /// (a)
    Abs,
    SMin,
    SMax,
    UMin,
    UMax,
    CtPop,
    /// (a): the width where a is 0.
    CtLz,
    CtTz,
    BSwap,
    BitReverse,
    /// (high, low, amount)
    FShl,
    FShr,
    FAbs,
    Sqrt,
    Floor,
    Ceil,
    FTrunc,
    Round,
    RoundEven,
    Rint,
    NearbyInt,
    CopySign,
    /// (a, b, c) → a·b + c, rounded once.
    Fma,
    /// (a, b, c) → a·b + c, rounded twice, as x86-64 without FMA does.
    FMulAdd,
    MinNum,
    MaxNum,
    Pow,
    /// (x, n: i32)
    Powi,
    Exp,
    Exp2,
    Log,
    Log2,
    Log10,
    Sin,
    Cos,
    /// (x, classes: i32) → i1, LLVM's `is.fpclass` mask.
    IsFpClass,
    /// (address, bytes: i64, writes: i1) → i1: whether an access of so many bytes would fail. No lowering makes it.
    BadAccess,
    /// (address) → an integer or float: what a load would give, or 0 where it would fail. No lowering makes it.
    Peek,
    /// () : `__builtin_trap`
    Trap,
    /// (depth: i32) → ptr: an opaque non-null address.
    FrameAddress,
    /// (depth: i32) → ptr
    ReturnAddress,
}

/// How a variadic argument is passed where plain inspection of its type cannot tell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VarArg {
    /// Index into the arguments of the call; that argument is a pointer.
    pub arg: u32,
    /// The struct behind the pointer is passed by value, in memory.
    pub size: u64,
    pub align: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    Direct(FuncId),
    Indirect(Value),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallData {
    pub callee: Callee,
    pub args: Vec<Value>,
    /// What the call site believes the callee takes, which C does not force to be true. The result types are those
    /// of the instruction's results.
    pub variadic: bool,
    /// By-value structs among the arguments. The lowering has copied them already; only `va_start` needs to know.
    pub by_value: Vec<VarArg>,
}

/// An instruction. Its results are in [`super::InstData`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    Unary {
        op: UnaryOp,
        arg: Value,
    },
    Binary {
        op: BinaryOp,
        flags: OpFlags,
        args: [Value; 2],
    },
    IntCmp {
        cmp: IntCmp,
        args: [Value; 2],
    },
    FloatCmp {
        cmp: FloatCmp,
        args: [Value; 2],
    },
    /// To the type of the result.
    Cast {
        op: CastOp,
        arg: Value,
    },
    Select {
        cond: Value,
        args: [Value; 2],
    },
    /// `base + index * scale + disp`, `index` an `i64`. Where the source indexes an array type of known length,
    /// `count` is that length (0: not known), so that going past the end of an inner array can be seen.
    PtrAdd {
        base: Value,
        index: PackedOption<Value>,
        scale: i64,
        disp: i64,
        count: u64,
    },
    /// A fresh stack object of `size` bytes (an `i64`), alive until the function returns.
    Alloca {
        size: Value,
        align: u32,
    },
    Load {
        ptr: Value,
        volatile: bool,
    },
    Store {
        ptr: Value,
        value: Value,
        volatile: bool,
    },
    Call(Box<CallData>),
    Intrinsic {
        op: Intrinsic,
        args: Vec<Value>,
    },
    /// clang's coverage counter: this point of the function is the start of the source regions of counter `index`.
    Counter {
        index: u32,
    },
    /// The next `insts` instructions of the block are there for the labels `first` to `first + labels - 1` alone: they
    /// change nothing, and a run may leave them out where nobody asks for these labels.
    Ghost {
        first: u32,
        labels: u32,
        insts: u32,
    },
    /// The label `index` is reached whenever control comes here and `cond`, an `i1`, is true. No lowering makes labels:
    /// who wants something to be reached puts them in.
    Label {
        index: u32,
        cond: Value,
    },
    /// Something the lowering does not know. Executing it traps; any results are never used.
    Unsupported {
        what: String,
    },
}

impl Op {
    /// Every value that the instruction reads.
    pub fn operands(&self) -> Vec<Value> {
        match self {
            Op::Unary { arg, .. } | Op::Cast { arg, .. } => vec![*arg],
            Op::Label { cond, .. } => vec![*cond],
            Op::Binary { args, .. } | Op::IntCmp { args, .. } | Op::FloatCmp { args, .. } => args.to_vec(),
            Op::Select { cond, args } => vec![*cond, args[0], args[1]],
            Op::PtrAdd { base, index, .. } => std::iter::once(*base).chain(index.expand()).collect(),
            Op::Alloca { size, .. } => vec![*size],
            Op::Load { ptr, .. } => vec![*ptr],
            Op::Store { ptr, value, .. } => vec![*ptr, *value],
            Op::Call(call) => {
                let callee = match call.callee {
                    Callee::Direct(_) => None,
                    Callee::Indirect(value) => Some(value),
                };
                callee.into_iter().chain(call.args.iter().copied()).collect()
            }
            Op::Intrinsic { args, .. } => args.clone(),
            Op::Counter { .. } | Op::Ghost { .. } | Op::Unsupported { .. } => Vec::new(),
        }
    }
}
