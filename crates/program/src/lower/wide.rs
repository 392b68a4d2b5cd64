//! Integers of more than 128 bits, as limbs of 64 bits with a shorter one at the end.
//!
//! clang makes one such integer of a long run of packed bit-fields and reads and writes the fields with masks and
//! constant shifts. Only what that takes is here; other arithmetic (on a large `_BitInt`) is unsupported.

use super::function::{FunctionLowering, Vals};
use super::llvm::{IntPredicate, Opcode, Ty, Val};
use crate::ir::{BinaryOp, IntCmp, Type, Value};

const LIMB: u32 = 64;

/// Wider than this a bit-field run does not get.
const MAX_BITS: u32 = 1 << 12;

/// The limbs of an integer of that many bits, the lowest first.
pub(super) fn limbs(bits: u32) -> Option<Vec<Type>> {
    let limb = |at: u32| Type::Int((bits - at).min(LIMB) as u8);
    (bits <= MAX_BITS).then(|| (0..bits).step_by(LIMB as usize).map(limb).collect())
}

pub(super) fn is_wide(ty: Ty<'_>) -> bool {
    ty.int_width() > 128
}

impl<'m> FunctionLowering<'_, 'm> {
    /// An operation with a wide operand or result.
    pub(super) fn wide(&mut self, opcode: Opcode, v: Val<'m>) -> Result<Vals, String> {
        let (from, to) = (v.operand(0).ok_or("a missing operand")?, v.ty());
        let unsupported = || format!("{opcode:?} of an integer of {} bits", from.ty().int_width());
        match opcode {
            Opcode::LLVMAnd | Opcode::LLVMOr | Opcode::LLVMXor => {
                let other = self.operand(v.operand(1).ok_or("a missing operand")?)?;
                let op = super::instructions::binary_op(opcode).ok_or_else(unsupported)?;
                let limbs = self.operand(from)?;
                Ok(limbs.iter().zip(other).map(|(&a, b)| self.arithmetic(op, a, b)).collect())
            }
            Opcode::LLVMShl | Opcode::LLVMLShr | Opcode::LLVMAShr => {
                let amount = v.operand(1).and_then(Val::words).ok_or_else(unsupported)?[0];
                if amount >= u64::from(to.int_width()) {
                    return Err(unsupported());
                }
                let signed = opcode == Opcode::LLVMAShr;
                let (limbs, fill) = self.whole_limbs(from, signed)?;
                let shifted = match opcode {
                    Opcode::LLVMShl => self.shift_left(&limbs, amount as u32),
                    _ => self.shift_right(&limbs, fill, amount as u32),
                };
                Ok(self.cut(&shifted, fill, to))
            }
            Opcode::LLVMTrunc | Opcode::LLVMZExt | Opcode::LLVMSExt => {
                let (limbs, fill) = self.whole_limbs(from, opcode == Opcode::LLVMSExt)?;
                Ok(self.cut(&limbs, fill, to))
            }
            Opcode::LLVMICmp => self.wide_equality(v).ok_or_else(unsupported)?,
            _ => Err(unsupported()),
        }
    }

    /// `None` for a comparison that is not about equality.
    fn wide_equality(&mut self, v: Val<'m>) -> Option<Result<Vals, String>> {
        let cmp = match v.int_predicate()? {
            IntPredicate::LLVMIntEQ => IntCmp::Eq,
            IntPredicate::LLVMIntNE => IntCmp::Ne,
            _ => return None,
        };
        let (a, b) = (v.operand(0)?, v.operand(1)?);
        let limbs = self.whole_limbs(a, false).and_then(|a| Ok((a.0, self.whole_limbs(b, false)?.0)));
        let (a, b) = match limbs {
            Ok(limbs) => limbs,
            Err(what) => return Some(Err(what)),
        };
        let zero = self.number(Type::I64, 0);
        let mut differing = zero;
        for (a, b) in a.into_iter().zip(b) {
            let difference = self.arithmetic(BinaryOp::Xor, a, b);
            differing = self.arithmetic(BinaryOp::Or, differing, difference);
        }
        Some(Ok(Vals::from_slice(&[self.compare(cmp, differing, zero)])))
    }

    /// The limbs of an integer of any width, all of 64 bits, and the limb that follows them.
    fn whole_limbs(&mut self, v: Val<'m>, signed: bool) -> Result<(Vec<Value>, Value), String> {
        let values = self.operand(v)?;
        let parts = match values[..] {
            [one] if self.body.ty(one).bits() > LIMB => {
                let one = self.resize(one, Type::Int(128), signed);
                self.rebits(&[one], &[Type::I64, Type::I64])?
            }
            _ => values,
        };
        let limbs: Vec<Value> = parts.into_iter().map(|part| self.resize(part, Type::I64, signed)).collect();
        let fill = match limbs.last() {
            Some(&top) if signed => {
                let amount = self.number(Type::I64, u128::from(LIMB - 1));
                self.arithmetic(BinaryOp::AShr, top, amount)
            }
            _ => self.number(Type::I64, 0),
        };
        Ok((limbs, fill))
    }

    fn shift_left(&mut self, limbs: &[Value], amount: u32) -> Vec<Value> {
        let (whole, bits) = ((amount / LIMB) as usize, amount % LIMB);
        let zero = self.number(Type::I64, 0);
        let below = |place: usize| place.checked_sub(whole).map_or(zero, |p| limbs[p]);
        let pairs: Vec<_> = (0..limbs.len()).map(|i| (below(i), if i == 0 { zero } else { below(i - 1) })).collect();
        pairs.into_iter().map(|(high, low)| self.funnel(high, low, LIMB - bits)).collect()
    }

    fn shift_right(&mut self, limbs: &[Value], fill: Value, amount: u32) -> Vec<Value> {
        let (whole, bits) = ((amount / LIMB) as usize, amount % LIMB);
        let above = |place: usize| limbs.get(place + whole).copied().unwrap_or(fill);
        let pairs: Vec<_> = (0..limbs.len()).map(|i| (above(i + 1), above(i))).collect();
        pairs.into_iter().map(|(high, low)| self.funnel(high, low, bits)).collect()
    }

    /// 64 bits of the 128 in `high` and `low`, from bit `at` on.
    fn funnel(&mut self, high: Value, low: Value, at: u32) -> Value {
        match at {
            0 => low,
            LIMB => high,
            _ => {
                let (down, up) =
                    (self.number(Type::I64, u128::from(at)), self.number(Type::I64, u128::from(LIMB - at)));
                let low = self.arithmetic(BinaryOp::LShr, low, down);
                let high = self.arithmetic(BinaryOp::Shl, high, up);
                self.arithmetic(BinaryOp::Or, low, high)
            }
        }
    }

    /// The low bits of the limbs as an integer of type `to`; `fill` stands above them.
    fn cut(&mut self, limbs: &[Value], fill: Value, to: Ty<'m>) -> Vals {
        let limb = |place: usize| limbs.get(place).copied().unwrap_or(fill);
        match to.int_width() {
            width @ 0..=64 => Vals::from_slice(&[self.resize(limb(0), Type::Int(width as u8), false)]),
            width @ 65..=128 => {
                let whole = self.join(&[limb(0), limb(1)], 128);
                Vals::from_slice(&[self.resize(whole, Type::Int(width as u8), false)])
            }
            width => {
                let types = limbs_or_none(width);
                types.into_iter().enumerate().map(|(place, ty)| self.resize(limb(place), ty, false)).collect()
            }
        }
    }
}

fn limbs_or_none(width: u32) -> Vec<Type> {
    limbs(width).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_limb_is_what_is_left() {
        assert_eq!(limbs(136), Some(vec![Type::I64, Type::I64, Type::I8]));
        assert_eq!(limbs(192), Some(vec![Type::I64, Type::I64, Type::I64]));
        assert_eq!(limbs(1 << 20), None);
    }
}
