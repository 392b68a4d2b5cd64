//! What travels beside concrete values.
//!
//! Why the seam exists: a concrete run and a symbolic run are the same interpreter. The machine computes bits; a
//! [`Shadow`] computes, from the same operands, what those bits mean in terms of the inputs. [`Concrete`] has the unit
//! type as its term, so registers and memory carry nothing and the checks compile to nothing.

use std::fmt::Debug;

use covenant_program::ir::{BinaryOp, CastOp, FloatCmp, IntCmp, Intrinsic, Type, UnaryOp};

/// Bits with the term beside them. Wide values use all 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct Shadowed<T> {
    pub bits: u128,
    pub ty: Type,
    pub term: T,
}

/// An operation without side effects: its result depends on nothing but the operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pure {
    Unary(UnaryOp),
    Binary(BinaryOp),
    IntCmp(IntCmp),
    FloatCmp(FloatCmp),
    Cast(CastOp),
    /// (condition, then, else)
    Select,
    /// (base, index): `base + index * scale + disp`
    PtrAdd {
        scale: i64,
        disp: i64,
    },
    /// The `result`th result.
    Intrinsic(Intrinsic, u32),
}

pub trait Shadow {
    /// "Nothing" is the default; a value that depends on no input carries that.
    type Term: Copy + Default + PartialEq + Debug;
    /// Terms of the bytes of one object.
    type Bytes: Debug;

    /// Whether terms exist at all. Where this is false no other method is ever called.
    const ACTIVE: bool;

    /// The term of a result. Called only if some operand has a term; `bits` is the concrete result.
    fn compute(&mut self, op: Pure, args: &[Shadowed<Self::Term>], ty: Type, bits: u128) -> Self::Term;
}

/// No terms: a plain interpreter.
#[derive(Clone, Copy, Default, Debug)]
pub struct Concrete;

impl Shadow for Concrete {
    type Term = ();
    type Bytes = ();
    const ACTIVE: bool = false;

    fn compute(&mut self, _: Pure, _: &[Shadowed<()>], _: Type, _: u128) {}
}
