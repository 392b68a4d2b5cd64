//! Intrinsics: memory blocks, the stack, variadic functions, bit tricks, overflow, and floats.

use covenant_program::ir::{BinaryOp, Const, IntCmp, Intrinsic, Loc, Type};

use super::{Machine, Step, mask, signed};
use crate::TrapKind;
use crate::code::op::{IntrinsicSite, Operand};
use crate::host::math;
use crate::memory::Fault;
use crate::shadow::{Limit, Pure, Shadow, Shadowed};

impl<S: Shadow> Machine<'_, S> {
    pub(super) fn intrinsic(&mut self, base: usize, site: &IntrinsicSite, at: Loc) -> Step<()> {
        let arg = |n: usize| site.args.get(n).map_or(0, |&o| self.operand(base, o));
        let (a, b, c) = (arg(0), arg(1), arg(2));
        match site.op {
            Intrinsic::MemCpy | Intrinsic::MemMove => {
                self.pin_all(base, &site.args);
                self.copy_bytes(a as u64, b as u64, c as u64)?;
            }
            Intrinsic::MemSet => {
                self.pin_all(base, &[site.args[0], site.args[2]]);
                let byte = self.shadowed(base, site.args[1]);
                self.fill_bytes(a as u64, byte, c as u64)?;
            }
            Intrinsic::VaStart => self.va_start(a as u64, at)?,
            Intrinsic::VaEnd => {}
            Intrinsic::VaCopy => self.copy_bytes(a as u64, b as u64, self.image.program().target.list_size())?,
            Intrinsic::StackSave => {
                let mark = self.stack_objects.len() as u128 + 1;
                self.set_result(base, site, mark);
            }
            Intrinsic::StackRestore => {
                let floor = self.frames.last().map_or(0, |frame| frame.objects);
                self.restore_stack((a as usize).saturating_sub(1).max(floor));
            }
            Intrinsic::Peek => self.peek_value(base, site, a as u64)?,
            Intrinsic::BadAccess => self.bad_access(base, site, a as u64, b as u64, c != 0),
            Intrinsic::Trap => {
                return Err(Fault::new(TrapKind::Trap, "the program asked for a trap").into());
            }
            Intrinsic::Open => {
                let bits = self.image.constant(Const::Undef);
                let width = site.results.first().map_or(1, |result| result.ty.bits());
                self.set_result(base, site, bits & mask(width));
                if S::ACTIVE {
                    self.shadow.limited(Limit::Unwritten);
                }
            }
            Intrinsic::FrameAddress | Intrinsic::ReturnAddress => {
                let depth = self.frames.len() as u128;
                self.set_result(base, site, 0x7FFF_0000_0000 - 64 * depth);
            }
            _ => self.pure_intrinsic(base, site, [a, b, c])?,
        }
        Ok(())
    }

    /// Whether an access would fail, as the object is to which the address belongs now.
    fn bad_access(&mut self, base: usize, site: &IntrinsicSite, address: u64, bytes: u64, writes: bool) {
        let near = self.memory.object_near(address).map(|o| (o.base, o.size, o.alive && (o.writable || !writes)));
        let inside = |(start, size, usable): (u64, u64, bool)| {
            let offset = address.wrapping_sub(start);
            usable && offset <= size && size - offset >= bytes
        };
        let bad = !near.is_some_and(inside);
        self.set_result(base, site, u128::from(bad));
        let Some(&result) = site.results.first() else { return };
        let pointer = self.shadowed(base, site.args[0]);
        let mut term = S::Term::default();
        // Where no address inside would do, the answer is the same for all.
        if S::ACTIVE
            && Self::is_symbolic(pointer.term)
            && let Some((start, size, true)) = near
            && let Some(last) = size.checked_sub(bytes)
        {
            let constant = |bits: u64| Shadowed { bits: u128::from(bits), ty: Type::I64, term: S::Term::default() };
            let pointer = Shadowed { ty: Type::I64, ..pointer };
            let distance = address.wrapping_sub(start);
            let offset =
                self.derive(Pure::Binary(BinaryOp::Sub), &[pointer, constant(start)], Type::I64, u128::from(distance));
            let offset = Shadowed { bits: u128::from(distance), ty: Type::I64, term: offset };
            term = self.derive(Pure::IntCmp(IntCmp::Ugt), &[offset, constant(last)], Type::BOOL, u128::from(bad));
        }
        self.set_term(base, result.reg, term);
    }

    /// What a load would give, or 0 where it would fail. The address is what it is in this run.
    fn peek_value(&mut self, base: usize, site: &IntrinsicSite, address: u64) -> Step<()> {
        let Some(&result) = site.results.first() else { return Ok(()) };
        if S::ACTIVE {
            self.pin(base, site.args[0], "an address that is looked at");
        }
        if self.memory.bytes(address, u64::from(result.ty.store_size())).is_err() {
            self.set_operand(base, result, 0);
            self.set_term(base, result.reg, S::Term::default());
            return Ok(());
        }
        let value = self.read_value(address, result.ty)?;
        self.set_operand(base, result, value.bits);
        self.set_term(base, result.reg, value.term);
        Ok(())
    }

    pub(crate) fn pin_all(&mut self, base: usize, operands: &[Operand]) {
        if S::ACTIVE {
            for &operand in operands {
                self.pin(base, operand, "an operand of a block of memory");
            }
        }
    }

    /// Ends what was allocated since the mark, and gives its bytes of the stack back.
    fn restore_stack(&mut self, keep: usize) {
        let dropped: u64 =
            self.stack_objects.iter().skip(keep).filter_map(|&a| Some(self.memory.object_near(a)?.size)).sum();
        self.stack_bytes = self.stack_bytes.saturating_sub(dropped);
        self.release_stack(keep);
    }

    fn set_result(&mut self, base: usize, site: &IntrinsicSite, bits: u128) {
        if let Some(&result) = site.results.first() {
            self.set_operand(base, result, bits);
        }
    }

    fn pure_intrinsic(&mut self, base: usize, site: &IntrinsicSite, args: [u128; 3]) -> Step<()> {
        let ty = site.args.first().map_or(Type::I64, |o| o.ty);
        let Some((first, second)) = evaluate(site.op, ty, args) else {
            let message = format!("{} of {} bits", site.op, ty.bits());
            return Err(Fault::new(TrapKind::Unsupported, message).into());
        };
        let shadowed: Vec<Shadowed<S::Term>> = if S::ACTIVE {
            let at = |o: &Operand| self.operand(base, *o);
            site.args.iter().map(|o| Shadowed { bits: at(o), ty: o.ty, term: self.term(base, o.reg) }).collect()
        } else {
            Vec::new()
        };
        let symbolic = shadowed.iter().any(|s| s.term != S::Term::default());
        for (index, (&result, bits)) in site.results.iter().zip([first, second]).enumerate() {
            let bits = bits & mask(result.ty.bits());
            self.set_operand(base, result, bits);
            if symbolic {
                let term = self.derive(Pure::Intrinsic(site.op, index as u32), &shadowed, result.ty, bits);
                self.set_term(base, result.reg, term);
            }
        }
        Ok(())
    }
}

/// The results of an intrinsic that depends on nothing but its operands; the second is 0 where there is none.
fn evaluate(op: Intrinsic, ty: Type, args: [u128; 3]) -> Option<(u128, u128)> {
    if let Some(pair) = overflowing(op, ty.bits(), args[0], args[1]) {
        return Some(pair);
    }
    let one = if ty.is_float() { math::intrinsic(op, ty, args)? } else { integer(op, ty.bits(), args)? };
    Some((one, 0))
}

fn overflowing(op: Intrinsic, width: u32, a: u128, b: u128) -> Option<(u128, u128)> {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let fits_signed = |exact: Option<i128>| exact.is_some_and(|v| signed(v as u128 & mask(width), width) == v);
    let fits = |exact: Option<u128>| exact.is_some_and(|v| v <= mask(width));
    let (wrapped, fits) = match op {
        Intrinsic::SAddOverflow => (a.wrapping_add(b), fits_signed(sa.checked_add(sb))),
        Intrinsic::SSubOverflow => (a.wrapping_sub(b), fits_signed(sa.checked_sub(sb))),
        Intrinsic::SMulOverflow => (a.wrapping_mul(b), fits_signed(sa.checked_mul(sb))),
        Intrinsic::UAddOverflow => (a.wrapping_add(b), fits(a.checked_add(b))),
        Intrinsic::USubOverflow => (a.wrapping_sub(b), fits(a.checked_sub(b))),
        Intrinsic::UMulOverflow => (a.wrapping_mul(b), fits(a.checked_mul(b))),
        _ => return None,
    };
    Some((wrapped & mask(width), u128::from(!fits)))
}

fn integer(op: Intrinsic, width: u32, [a, b, c]: [u128; 3]) -> Option<u128> {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let (low, high) = (signed(1 << (width - 1), width), signed(mask(width) >> 1, width));
    let bits = match op {
        Intrinsic::Abs => sa.wrapping_abs() as u128,
        Intrinsic::SMin => sa.min(sb) as u128,
        Intrinsic::SMax => sa.max(sb) as u128,
        Intrinsic::UMin => a.min(b),
        Intrinsic::UMax => a.max(b),
        Intrinsic::CtPop => u128::from(a.count_ones()),
        Intrinsic::CtLz => u128::from(a.leading_zeros() - (128 - width)),
        Intrinsic::CtTz => u128::from(a.trailing_zeros().min(width)),
        Intrinsic::BSwap => a.swap_bytes() >> (128 - width),
        Intrinsic::BitReverse => a.reverse_bits() >> (128 - width),
        Intrinsic::FShl | Intrinsic::FShr => funnel(op, width, a, b, c),
        Intrinsic::SAddSat => sa.saturating_add(sb).clamp(low, high) as u128,
        Intrinsic::SSubSat => sa.saturating_sub(sb).clamp(low, high) as u128,
        Intrinsic::UAddSat => a.saturating_add(b).min(mask(width)),
        Intrinsic::USubSat => a.saturating_sub(b),
        _ => return None,
    };
    Some(bits & mask(width))
}

fn funnel(op: Intrinsic, width: u32, high: u128, low: u128, amount: u128) -> u128 {
    let amount = (amount % u128::from(width)) as u32;
    match (op, amount) {
        (Intrinsic::FShl, 0) => high,
        (Intrinsic::FShl, _) => high << amount | low >> (width - amount),
        (_, 0) => low,
        _ => low >> amount | high << (width - amount),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(op: Intrinsic, ty: Type, args: [u128; 3], expected: (u128, u128)) {
        assert_eq!(evaluate(op, ty, args), Some(expected), "{op} {ty:?} {args:?}");
    }

    #[test]
    fn integers() {
        let minus_one = u128::from(u32::MAX);
        check(Intrinsic::SAddOverflow, Type::I32, [0x7FFF_FFFF, 1, 0], (0x8000_0000, 1));
        check(Intrinsic::SMulOverflow, Type::I32, [minus_one, 5, 0], (0xFFFF_FFFB, 0));
        check(Intrinsic::UMulOverflow, Type::I64, [1 << 63, 2, 0], (0, 1));
        check(Intrinsic::UMulOverflow, Type::Int(128), [1 << 127, 2, 0], (0, 1));
        check(Intrinsic::CtLz, Type::I32, [0, 0, 0], (32, 0));
        check(Intrinsic::CtTz, Type::I32, [0, 0, 0], (32, 0));
        check(Intrinsic::CtLz, Type::Int(128), [1, 0, 0], (127, 0));
        check(Intrinsic::BSwap, Type::I32, [0x1234_5678, 0, 0], (0x7856_3412, 0));
        check(Intrinsic::FShl, Type::I8, [0x81, 0x80, 1], (0x03, 0));
        check(Intrinsic::FShr, Type::I8, [0x01, 0x80, 9], (0xC0, 0));
        check(Intrinsic::SAddSat, Type::I8, [0x7F, 1, 0], (0x7F, 0));
        check(Intrinsic::SMin, Type::I8, [0xFF, 1, 0], (0xFF, 0));
    }
}
