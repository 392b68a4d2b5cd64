//! Types, constants and instructions.

use cranelift_entity::packed_option::PackedOption;
use strum::{Display, EnumString, IntoStaticStr};

use super::{Block, FuncId, GlobalId, Value};

/// The type of an SSA value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// An integer of 1 to 128 bits; signedness is a matter of the operations.
    Int(u8),
    /// The IEEE single format, `float`.
    F32,
    /// The IEEE double format, `double`.
    F64,
    /// The x87 80-bit format, `long double` on x86-64. 16 bytes in memory, 10 of them used.
    F80,
    /// An address of 64 bits; what is behind it the type does not say.
    Ptr,
    /// An address of a program with 32-bit pointers: 4 bytes in memory, and 64 bits, the upper ones 0, wherever it is computed with.
    Ptr32,
}

/// Where an argument travels in a call, by the System V ABI of x86-64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Register {
    /// A general-purpose register: integers and pointers.
    General,
    /// A vector register: `float` and `double`.
    Float,
    /// `long double` goes through memory.
    X87,
}

impl Type {
    /// What comparisons give and branches take.
    pub const BOOL: Type = Type::Int(1);
    /// A byte.
    pub const I8: Type = Type::Int(8);
    /// C's `int`.
    pub const I32: Type = Type::Int(32);
    /// The width of sizes and of pointers as integers.
    pub const I64: Type = Type::Int(64);

    /// Significant bits of a value.
    pub fn bits(self) -> u32 {
        match self {
            Type::Int(w) => u32::from(w),
            Type::F32 => 32,
            Type::F64 | Type::Ptr | Type::Ptr32 => 64,
            Type::F80 => 80,
        }
    }

    /// Bytes that a load reads or a store writes.
    pub fn store_size(self) -> u32 {
        match self {
            Type::Ptr32 => 4,
            _ => self.bits().div_ceil(8),
        }
    }

    /// Whether an address.
    pub fn is_ptr(self) -> bool {
        matches!(self, Type::Ptr | Type::Ptr32)
    }

    /// Whether a value needs two 64-bit words.
    pub fn is_wide(self) -> bool {
        self.bits() > 64
    }

    /// Where an argument of this type travels.
    pub fn register(self) -> Register {
        match self {
            Type::Int(_) | Type::Ptr | Type::Ptr32 => Register::General,
            Type::F32 | Type::F64 => Register::Float,
            Type::F80 => Register::X87,
        }
    }

    /// Whether an integer of any width; pointers are none.
    pub fn is_int(self) -> bool {
        matches!(self, Type::Int(_))
    }

    /// Whether one of the three floating-point formats.
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
    /// The address of a function.
    Func(FuncId),
    /// The address of a label (`&&label`).
    Label(FuncId, Block),
    /// LLVM's undef or poison: the program read something that was never written.
    Undef,
}

/// Operations of one operand besides casts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum UnaryOp {
    /// The negation of a float, which changes the sign of zero and NaN too.
    FNeg,
}

/// Arithmetic on two operands of one type, by LLVM's names. Integers wrap; what C forbids is in [`OpFlags`] and is execution's to
/// see, as are a division by zero and a shift by the width or more.
#[expect(missing_docs, reason = "they are LLVM's instructions of these names")]
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
    /// Whether it works on floats.
    pub fn is_float(self) -> bool {
        matches!(self, BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem)
    }

    /// Whether the second operand is a number of bits.
    pub fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr)
    }

    /// Whether zero as the second operand is an error.
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

/// Comparisons of integers and pointers, by LLVM's names: `u…` unsigned, `s…` signed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display, EnumString, IntoStaticStr)]
#[expect(missing_docs, reason = "they are LLVM's predicates of these names")]
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
#[expect(missing_docs, reason = "they are LLVM's predicates of these names")]
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

/// Conversions, by LLVM's names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display, EnumString, IntoStaticStr)]
#[expect(missing_docs, reason = "they are LLVM's instructions of these names")]
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
#[expect(missing_docs, reason = "those without a comment are LLVM's intrinsics of these names")]
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
    /// () → a value of any type that C leaves open: of a variable that nothing has written, say.
    Open,
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
    /// Of the copy on the stack.
    pub align: u32,
}

/// Whom a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// A function by its name.
    Direct(FuncId),
    /// Whatever function is at this address.
    Indirect(Value),
}

/// A call, apart from its results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallData {
    /// Whom it calls.
    pub callee: Callee,
    /// The scalars that are passed, those behind the `...` included.
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
    /// An operation of one operand.
    Unary {
        /// Which.
        op: UnaryOp,
        /// Its operand.
        arg: Value,
    },
    /// Arithmetic.
    Binary {
        /// Which.
        op: BinaryOp,
        /// What the source promises of the result.
        flags: OpFlags,
        /// Left and right, of the type of the result.
        args: [Value; 2],
    },
    /// A comparison of integers or pointers, to an `i1`.
    IntCmp {
        /// How they are compared.
        cmp: IntCmp,
        /// Left and right, of one type.
        args: [Value; 2],
    },
    /// A comparison of floats, to an `i1`.
    FloatCmp {
        /// How they are compared.
        cmp: FloatCmp,
        /// Left and right, of one type.
        args: [Value; 2],
    },
    /// To the type of the result.
    Cast {
        /// Which conversion.
        op: CastOp,
        /// What is converted.
        arg: Value,
    },
    /// One of two values; both are computed before.
    Select {
        /// An `i1`.
        cond: Value,
        /// The result when `cond` is true, and when it is false.
        args: [Value; 2],
    },
    /// `base + index * scale + disp`, `index` an `i64`. Where the source indexes an array type of known length,
    /// `count` is that length (0: not known), so that going past the end of an inner array can be seen.
    PtrAdd {
        /// Where it starts from.
        base: Value,
        /// Nothing for a constant offset.
        index: PackedOption<Value>,
        /// The bytes of an element, negative for steps backwards.
        scale: i64,
        /// Constant bytes on top.
        disp: i64,
        /// The elements of the array type, or 0.
        count: u64,
    },
    /// A fresh stack object of `size` bytes (an `i64`), alive until the function returns.
    Alloca {
        /// In bytes.
        size: Value,
        /// A power of two.
        align: u32,
    },
    /// Reads a scalar of the type of the result.
    Load {
        /// Where.
        ptr: Value,
        /// The source says that others may write there: what is read is open.
        volatile: bool,
    },
    /// Writes a scalar.
    Store {
        /// Where.
        ptr: Value,
        /// What.
        value: Value,
        /// The source says that others may see it.
        volatile: bool,
    },
    /// A call of a function.
    Call(Box<CallData>),
    /// An operation with a meaning of its own; [`Intrinsic`] says what its operands are.
    Intrinsic {
        /// Which.
        op: Intrinsic,
        /// As [`Intrinsic`] lists them.
        args: Vec<Value>,
    },
    /// clang's coverage counter: this point of the function is the start of the source regions of counter `index`.
    Counter {
        /// The number of the counter in its function.
        index: u32,
    },
    /// The next `insts` instructions of the block are there for the labels `first` to `first + labels - 1` alone: they
    /// change nothing, and a run may leave them out where nobody asks for these labels.
    Ghost {
        /// The number of the first label.
        first: u32,
        /// How many labels follow each other from there.
        labels: u32,
        /// How many instructions, not counting this one.
        insts: u32,
    },
    /// The label `index` is reached whenever control comes here and `cond`, an `i1`, is true. No lowering makes labels:
    /// who wants something to be reached puts them in.
    Label {
        /// The number of the label in the program.
        index: u32,
        /// An `i1`.
        cond: Value,
    },
    /// Something the lowering does not know. Executing it traps; any results are never used.
    Unsupported {
        /// Named for people.
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
