//! Floating-point arithmetic: `float` and `double` on the host's IEEE hardware, the x87 format in software.

use covenant_program::ir::{BinaryOp, FloatCmp, Type};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::X87DoubleExtended;
use std::cmp::Ordering;

use super::{Machine, Step};
use crate::code::op::{FloatFormat, Operand, R2, R3};
use crate::shadow::{Pure, Shadow, Shadowed};

pub(crate) type F80 = X87DoubleExtended;

impl FloatFormat {
    pub(crate) fn ty(self) -> Type {
        match self {
            FloatFormat::F32 => Type::F32,
            FloatFormat::F64 => Type::F64,
            FloatFormat::F80 => Type::F80,
        }
    }
}

impl<S: Shadow> Machine<'_, S> {
    #[inline(always)]
    pub(super) fn float(&mut self, base: usize, op: BinaryOp, format: FloatFormat, r: R3) -> Step<()> {
        let ty = format.ty();
        let (a, b) = (self.get(base, r.a), self.get(base, r.b));
        let bits = match format {
            FloatFormat::F64 => u128::from(arith64(op, f64::from_bits(a), f64::from_bits(b)).to_bits()),
            FloatFormat::F32 => u128::from(arith32(op, f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits()),
            FloatFormat::F80 => arith80(op, self.wide(base, r.a), self.wide(base, r.b)),
        };
        if S::ACTIVE {
            self.follow(base, r, Pure::Binary(op), ty, ty, bits);
        }
        self.set(base, r.d, bits as u64);
        if format == FloatFormat::F80 {
            self.set(base, r.d + 1, (bits >> 64) as u64);
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn float_cmp(&mut self, base: usize, cmp: FloatCmp, format: FloatFormat, r: R3) -> Step<()> {
        let (a, b) = (self.get(base, r.a), self.get(base, r.b));
        let order = match format {
            FloatFormat::F64 => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
            FloatFormat::F32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
            FloatFormat::F80 => F80::from_bits(self.wide(base, r.a)).partial_cmp(&F80::from_bits(self.wide(base, r.b))),
        };
        let holds = ordered(cmp, order);
        if S::ACTIVE {
            self.follow(base, r, Pure::FloatCmp(cmp), format.ty(), Type::BOOL, u128::from(holds));
        }
        self.set(base, r.d, u64::from(holds));
        Ok(())
    }

    pub(super) fn float_neg(&mut self, base: usize, format: FloatFormat, r: R2) -> Step<()> {
        let operand = |reg| Operand { reg, ty: format.ty() };
        let bits = self.operand(base, operand(r.a));
        let negated = bits ^ 1 << (format.ty().bits() - 1);
        let term = self.term(base, r.a);
        self.set_operand(base, operand(r.d), negated);
        if S::ACTIVE && term != S::Term::default() {
            let arg = Shadowed { bits, ty: format.ty(), term };
            let op = Pure::Unary(covenant_program::ir::UnaryOp::FNeg);
            let term = self.derive(op, &[arg], format.ty(), negated);
            self.set_term(base, r.d, term);
        }
        Ok(())
    }
}

fn ordered(cmp: FloatCmp, order: Option<Ordering>) -> bool {
    use Ordering::{Equal, Greater, Less};
    match cmp {
        FloatCmp::Oeq => order == Some(Equal),
        FloatCmp::Ogt => order == Some(Greater),
        FloatCmp::Oge => matches!(order, Some(Greater | Equal)),
        FloatCmp::Olt => order == Some(Less),
        FloatCmp::Ole => matches!(order, Some(Less | Equal)),
        FloatCmp::One => matches!(order, Some(Less | Greater)),
        FloatCmp::Ord => order.is_some(),
        FloatCmp::Ueq => matches!(order, None | Some(Equal)),
        FloatCmp::Ugt => matches!(order, None | Some(Greater)),
        FloatCmp::Uge => order != Some(Less),
        FloatCmp::Ult => matches!(order, None | Some(Less)),
        FloatCmp::Ule => order != Some(Greater),
        FloatCmp::Une => order != Some(Equal),
        FloatCmp::Uno => order.is_none(),
    }
}

/// x86 gives NaN operands back unchanged but quiet, and makes new NaNs negative; Rust promises neither, so NaN results
/// are settled here.
fn settle64(a: f64, b: f64, result: f64) -> f64 {
    const QUIET: u64 = 1 << 51; // not tuning: a format
    match () {
        () if !result.is_nan() => result,
        () if a.is_nan() => f64::from_bits(a.to_bits() | QUIET),
        () if b.is_nan() => f64::from_bits(b.to_bits() | QUIET),
        () => f64::from_bits(0xFFF8_0000_0000_0000),
    }
}

fn settle32(a: f32, b: f32, result: f32) -> f32 {
    const QUIET: u32 = 1 << 22; // not tuning: a format
    match () {
        () if !result.is_nan() => result,
        () if a.is_nan() => f32::from_bits(a.to_bits() | QUIET),
        () if b.is_nan() => f32::from_bits(b.to_bits() | QUIET),
        () => f32::from_bits(0xFFC0_0000),
    }
}

#[inline(always)]
fn arith64(op: BinaryOp, a: f64, b: f64) -> f64 {
    let result = match op {
        BinaryOp::FAdd => a + b,
        BinaryOp::FSub => a - b,
        BinaryOp::FMul => a * b,
        BinaryOp::FDiv => a / b,
        _ => a % b,
    };
    settle64(a, b, result)
}

#[inline(always)]
fn arith32(op: BinaryOp, a: f32, b: f32) -> f32 {
    let result = match op {
        BinaryOp::FAdd => a + b,
        BinaryOp::FSub => a - b,
        BinaryOp::FMul => a * b,
        BinaryOp::FDiv => a / b,
        _ => a % b,
    };
    settle32(a, b, result)
}

fn arith80(op: BinaryOp, a: u128, b: u128) -> u128 {
    let (x, y) = (F80::from_bits(a), F80::from_bits(b));
    let result = match op {
        BinaryOp::FAdd => (x + y).value,
        BinaryOp::FSub => (x - y).value,
        BinaryOp::FMul => (x * y).value,
        BinaryOp::FDiv => (x / y).value,
        _ => x.c_fmod(y).value,
    };
    match () {
        () if !result.is_nan() => result.to_bits(),
        () if x.is_nan() => a | 1 << 62,
        () if y.is_nan() => b | 1 << 62,
        () => 0xFFFF_C000_0000_0000_0000,
    }
}
