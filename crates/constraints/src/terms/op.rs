//! The operations of terms: exactly what SMT-LIB has (or, for the overflow predicates, what its newest version has),
//! without the ones that others express. [`crate::Terms`] has builder methods for those too.

use crate::sort::{FloatKind, Rounding};
use crate::term::VarId;

/// An index into the arena's table of constants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ConstId(pub(crate) u32);

/// What a node of a term does with its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "those without a comment are SMT-LIB's functions of these names")]
pub enum Op {
    Var(VarId),
    True,
    False,
    BvConst(ConstId),
    /// A float constant: its bits in memory.
    FloatConst(ConstId),

    Not,
    And,
    Or,
    /// Of any sort. Of floats it is identity: NaN equals NaN, and the zeros differ.
    Eq,
    /// Condition, then, else; of any sort.
    Ite,

    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    Add,
    Sub,
    Mul,
    /// All ones where the divisor is zero.
    UDiv,
    /// The dividend where the divisor is zero.
    URem,
    /// Truncates; by zero gives 1 or −1, the opposite of the dividend's sign.
    SDiv,
    /// The sign of the dividend; the dividend where the divisor is zero.
    SRem,
    /// Amounts of the width and more give zero.
    Shl,
    LShr,
    AShr,
    Concat,
    /// Bits `hi` down to `lo`.
    Extract {
        hi: u8,
        lo: u8,
    },
    /// To the width given by the sort.
    ZExt,
    SExt,
    Ult,
    Ule,
    Slt,
    Sle,
    /// Overflow predicates.
    SAddO,
    UAddO,
    SSubO,
    USubO,
    SMulO,
    UMulO,
    /// `Bool` to `Bv(1)`.
    BoolToBv,

    /// Arithmetic rounds to nearest, ties to even.
    FAdd,
    FSub,
    FMul,
    FDiv,
    /// IEEE remainder (C's `remainder`, not `fmod`).
    FRem,
    FSqrt,
    FFma,
    FRound(Rounding),
    FNeg,
    FAbs,
    FEq,
    FLt,
    FLe,
    FIsNan,
    FIsInf,
    FIsZero,
    FIsNormal,
    FIsSubnormal,
    FIsNegative,
    FToF(FloatKind, Rounding),
    SToF(FloatKind, Rounding),
    UToF(FloatKind, Rounding),
    /// To the width of the sort. Outside the range SMT-LIB leaves the result open, so the builder guards it.
    FToS(Rounding),
    FToU(Rounding),
    /// From SMT-LIB's encoding (79 bits for `F80`).
    IeeeToF(FloatKind),
    /// To SMT-LIB's encoding; NaN gives the canonical quiet NaN.
    FToIeee,

    Select,
    Store,
    ConstArray,
}

impl Op {
    /// Whether the arguments may be swapped.
    pub fn is_commutative(self) -> bool {
        use Op::*;
        matches!(
            self,
            And | Or | Eq | BvAnd | BvOr | BvXor | Add | Mul | SAddO | UAddO | SMulO | UMulO | FAdd | FMul | FEq
        )
    }

    /// Whether a node with this operation is a constant.
    pub fn is_const(self) -> bool {
        matches!(self, Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_))
    }
}
