//! Casts and selection.

use covenant_program::ir::{CastOp, Type};
use rustc_apfloat::ieee::{Double, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

use super::float::F80;
use super::{Machine, Step, mask, signed};
use crate::code::op::{Cast, Operand, R2, Select};
use crate::shadow::{Pure, Shadow, Shadowed};

impl<S: Shadow> Machine<'_, S> {
    /// The result of an operation with one operand, at most 64 bits both.
    #[inline(always)]
    fn unary(&mut self, base: usize, r: R2, op: CastOp, from: u8, to: u8, bits: u64) -> Step<()> {
        if S::ACTIVE {
            let term = self.term(base, r.a);
            let new = if term == S::Term::default() {
                term
            } else {
                let arg = Shadowed { bits: u128::from(self.get(base, r.a)), ty: Type::Int(from), term };
                self.derive(Pure::Cast(op), &[arg], Type::Int(to), u128::from(bits))
            };
            self.set_term(base, r.d, new);
        }
        self.set(base, r.d, bits);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn trunc(&mut self, base: usize, width: u8, r: R2) -> Step<()> {
        let bits = self.get(base, r.a) & (u64::MAX >> (64 - width));
        self.unary(base, r, CastOp::Trunc, 64, width, bits)
    }

    #[inline(always)]
    pub(super) fn sext(&mut self, base: usize, from: u8, to: u8, r: R2) -> Step<()> {
        let shift = 64 - from;
        let bits = ((self.get(base, r.a) << shift) as i64 >> shift) as u64 & (u64::MAX >> (64 - to));
        self.unary(base, r, CastOp::SExt, from, to, bits)
    }

    #[inline(always)]
    pub(super) fn zext(&mut self, base: usize, from: u8, to: u8, r: R2) -> Step<()> {
        let bits = self.get(base, r.a);
        self.unary(base, r, CastOp::ZExt, from, to, bits)
    }

    pub(super) fn cast(&mut self, base: usize, cast: &Cast) -> Step<()> {
        let from = self.operand(base, cast.from);
        let bits = convert(cast.op, from, cast.from.ty, cast.to.ty);
        let term = self.term(base, cast.from.reg);
        self.set_operand(base, cast.to, bits);
        if S::ACTIVE && term != S::Term::default() {
            let arg = Shadowed { bits: from, ty: cast.from.ty, term };
            let term = self.derive(Pure::Cast(cast.op), &[arg], cast.to.ty, bits);
            self.set_term(base, cast.to.reg, term);
        }
        Ok(())
    }

    pub(super) fn select(&mut self, base: usize, select: &Select) -> Step<()> {
        let ty = select.to.ty;
        let cond = self.get(base, select.cond);
        let chosen = if cond != 0 { select.args[0] } else { select.args[1] };
        let bits = self.operand(base, Operand { reg: chosen, ty });
        let term = self.select_term(base, select, bits);
        self.set_operand(base, select.to, bits);
        self.set_term(base, select.to.reg, term);
        Ok(())
    }

    fn select_term(&mut self, base: usize, select: &Select, bits: u128) -> S::Term {
        let none = S::Term::default();
        let ty = select.to.ty;
        let terms = [select.cond, select.args[0], select.args[1]].map(|reg| self.term(base, reg));
        if !S::ACTIVE || terms == [none; 3] {
            return none;
        }
        let value = |reg| self.operand(base, Operand { reg, ty });
        let args = [
            Shadowed { bits: u128::from(self.get(base, select.cond)), ty: Type::BOOL, term: terms[0] },
            Shadowed { bits: value(select.args[0]), ty, term: terms[1] },
            Shadowed { bits: value(select.args[1]), ty, term: terms[2] },
        ];
        self.derive(Pure::Select, &args, ty, bits)
    }
}

/// Any cast, as x86-64 does it.
pub(crate) fn convert(op: CastOp, bits: u128, from: Type, to: Type) -> u128 {
    match op {
        CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast => bits & mask(to.bits()),
        CastOp::SExt => signed(bits, from.bits()) as u128 & mask(to.bits()),
        CastOp::FpTrunc | CastOp::FpExt => float_to_float(bits, from, to),
        CastOp::FpToUi => float_to_unsigned(bits, from, to.bits()),
        CastOp::FpToSi => float_to_signed(bits, from, to.bits()),
        CastOp::UiToFp => unsigned_to_float(bits, to),
        CastOp::SiToFp => signed_to_float(signed(bits, from.bits()), to),
    }
}

fn float_to_float(bits: u128, from: Type, to: Type) -> u128 {
    let mut lossy = false;
    match (from, to) {
        (Type::F32, Type::F64) => u128::from(f64::from(f32::from_bits(bits as u32)).to_bits()),
        (Type::F64, Type::F32) => u128::from((f64::from_bits(bits as u64) as f32).to_bits()),
        (Type::F32, Type::F80) => widen(FloatConvert::<F80>::convert(Single::from_bits(bits), &mut lossy).value),
        (Type::F64, Type::F80) => widen(FloatConvert::<F80>::convert(Double::from_bits(bits), &mut lossy).value),
        (Type::F80, Type::F32) => FloatConvert::<Single>::convert(F80::from_bits(bits), &mut lossy).value.to_bits(),
        (Type::F80, Type::F64) => FloatConvert::<Double>::convert(F80::from_bits(bits), &mut lossy).value.to_bits(),
        _ => bits,
    }
}

fn widen(value: F80) -> u128 {
    value.to_bits()
}

/// Out of range is undefined in C; x86-64 gives the "integer indefinite" value: only the top bit set. Types narrower
/// than a register are converted as 32-bit (unsigned ones of 32 bits as 64-bit) and cut.
fn float_to_signed(bits: u128, from: Type, width: u32) -> u128 {
    let register = if width <= 32 { 32 } else { width.next_power_of_two() };
    let value = match from {
        Type::F32 => Single::from_bits(bits).to_i128_r(128, Round::TowardZero, &mut false),
        Type::F64 => Double::from_bits(bits).to_i128_r(128, Round::TowardZero, &mut false),
        _ => F80::from_bits(bits).to_i128_r(128, Round::TowardZero, &mut false),
    };
    let invalid = value.status.contains(rustc_apfloat::Status::INVALID_OP);
    let fits = signed(value.value as u128 & mask(register), register) == value.value;
    let exact = if invalid || !fits { 1u128 << (register - 1) } else { value.value as u128 };
    exact & mask(width)
}

fn float_to_unsigned(bits: u128, from: Type, width: u32) -> u128 {
    if width < 64 {
        // Through the signed conversion of twice the size.
        return float_to_signed(bits, from, if width <= 16 { 32 } else { 64 }) & mask(width);
    }
    let value = match from {
        Type::F32 => Single::from_bits(bits).to_u128_r(width as usize, Round::TowardZero, &mut false),
        Type::F64 => Double::from_bits(bits).to_u128_r(width as usize, Round::TowardZero, &mut false),
        _ => F80::from_bits(bits).to_u128_r(width as usize, Round::TowardZero, &mut false),
    };
    if value.status.contains(rustc_apfloat::Status::INVALID_OP) {
        return float_to_signed(bits, from, width);
    }
    value.value & mask(width)
}

fn unsigned_to_float(value: u128, to: Type) -> u128 {
    match to {
        Type::F32 => u128::from((value as f32).to_bits()),
        Type::F64 => u128::from((value as f64).to_bits()),
        _ => F80::from_u128(value).value.to_bits(),
    }
}

fn signed_to_float(value: i128, to: Type) -> u128 {
    match to {
        Type::F32 => u128::from((value as f32).to_bits()),
        Type::F64 => u128::from((value as f64).to_bits()),
        _ => F80::from_i128(value).value.to_bits(),
    }
}
