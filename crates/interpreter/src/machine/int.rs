//! Integer arithmetic and comparison.

use covenant_program::ir::{BinaryOp, IntCmp, Type};

use super::{Machine, Step, mask, signed};
use crate::TrapKind;
use crate::code::op::{IntOp, Operand, R2, R3};
use crate::memory::Fault;
use crate::shadow::{Pure, Shadow, Shadowed};

impl<S: Shadow> Machine<'_, S> {
    #[inline(always)]
    pub(super) fn move_register(&mut self, base: usize, r: R2) -> Step<()> {
        self.set(base, r.d, self.get(base, r.a));
        self.set_term(base, r.d, self.term(base, r.a));
        Ok(())
    }

    /// Stores a result of at most 64 bits and lets the shadow follow.
    #[inline(always)]
    fn put(&mut self, base: usize, r: R3, op: Pure, arg: Type, ty: Type, bits: u64) -> Step<()> {
        if S::ACTIVE {
            self.follow(base, r, op, arg, ty, u128::from(bits));
        }
        self.set(base, r.d, bits);
        Ok(())
    }

    /// The term of a result of two operands; runs before the result is stored, which may be over an operand.
    pub(super) fn follow(&mut self, base: usize, r: R3, op: Pure, arg: Type, ty: Type, bits: u128) {
        let (a, b) = (self.term(base, r.a), self.term(base, r.b));
        let none = S::Term::default();
        let term = if a == none && b == none {
            none
        } else {
            let at = |reg| crate::code::op::Operand { reg, ty: arg };
            let args = [
                Shadowed { bits: self.operand(base, at(r.a)), ty: arg, term: a },
                Shadowed { bits: self.operand(base, at(r.b)), ty: arg, term: b },
            ];
            self.derive(op, &args, ty, bits)
        };
        self.set_term(base, r.d, term);
    }

    #[inline(always)]
    fn binary(&mut self, base: usize, r: R3, op: BinaryOp, width: u8, f: impl Fn(u64, u64) -> u64) -> Step<()> {
        let bits = f(self.get(base, r.a), self.get(base, r.b));
        self.put(base, r, Pure::Binary(op), Type::Int(width), Type::Int(width), bits)
    }

    #[inline(always)]
    pub(super) fn add32(&mut self, base: usize, r: R3) -> Step<()> {
        self.binary(base, r, BinaryOp::Add, 32, |a, b| u64::from((a as u32).wrapping_add(b as u32)))
    }

    #[inline(always)]
    pub(super) fn sub32(&mut self, base: usize, r: R3) -> Step<()> {
        self.binary(base, r, BinaryOp::Sub, 32, |a, b| u64::from((a as u32).wrapping_sub(b as u32)))
    }

    #[inline(always)]
    pub(super) fn mul32(&mut self, base: usize, r: R3) -> Step<()> {
        self.binary(base, r, BinaryOp::Mul, 32, |a, b| u64::from((a as u32).wrapping_mul(b as u32)))
    }

    #[inline(always)]
    pub(super) fn add64(&mut self, base: usize, r: R3) -> Step<()> {
        self.binary(base, r, BinaryOp::Add, 64, u64::wrapping_add)
    }

    #[inline(always)]
    pub(super) fn sub64(&mut self, base: usize, r: R3) -> Step<()> {
        if S::ACTIVE {
            self.follow_addresses(base, r.a, r.b, true);
        }
        let r = if S::ACTIVE { self.in_order_of_objects(base, r) } else { r };
        self.binary(base, r, BinaryOp::Sub, 64, u64::wrapping_sub)
    }

    #[inline(always)]
    pub(super) fn mul64(&mut self, base: usize, r: R3) -> Step<()> {
        self.binary(base, r, BinaryOp::Mul, 64, u64::wrapping_mul)
    }

    #[inline(always)]
    pub(super) fn and(&mut self, base: usize, width: u8, r: R3) -> Step<()> {
        self.binary(base, r, BinaryOp::And, width, |a, b| a & b)
    }

    #[inline(always)]
    pub(super) fn or(&mut self, base: usize, width: u8, r: R3) -> Step<()> {
        self.binary(base, r, BinaryOp::Or, width, |a, b| a | b)
    }

    #[inline(always)]
    pub(super) fn xor(&mut self, base: usize, width: u8, r: R3) -> Step<()> {
        self.binary(base, r, BinaryOp::Xor, width, |a, b| a ^ b)
    }

    #[inline(always)]
    pub(super) fn int(&mut self, base: usize, int: IntOp, r: R3) -> Step<()> {
        let width = u32::from(int.width);
        let (a, b) = (self.get(base, r.a), self.get(base, r.b));
        let clear = u64::MAX >> (64 - width);
        let amount = shift_amount(u128::from(b), width);
        let sign = 64 - width;
        let bits = match int.op {
            BinaryOp::Add => a.wrapping_add(b) & clear,
            BinaryOp::Sub => a.wrapping_sub(b) & clear,
            BinaryOp::Mul => a.wrapping_mul(b) & clear,
            BinaryOp::Shl => a.wrapping_shl(amount) & clear,
            BinaryOp::LShr => a.wrapping_shr(amount),
            BinaryOp::AShr => ((((a << sign) as i64) >> sign).wrapping_shr(amount) as u64) & clear,
            _ => 0,
        };
        self.put(base, r, Pure::Binary(int.op), Type::Int(int.width), Type::Int(int.width), bits)
    }

    pub(super) fn follow_division(&mut self, base: usize, int: IntOp, r: R3) {
        let ty = Type::Int(int.width);
        let args = [r.a, r.b].map(|reg| self.shadowed(base, Operand { reg, ty }));
        if args.iter().any(|a| Self::is_symbolic(a.term)) {
            let signed = matches!(int.op, BinaryOp::SDiv | BinaryOp::SRem);
            let site = self.site();
            self.shadow.divide(site, args[0], args[1], signed);
        }
    }

    /// An operation that traps unless its operands fit it.
    pub(super) fn follow_fit(&mut self, base: usize, int: IntOp, r: R3, fits: bool) {
        let ty = Type::Int(int.width);
        let args = [r.a, r.b].map(|reg| self.shadowed(base, Operand { reg, ty }));
        if args.iter().any(|a| Self::is_symbolic(a.term)) {
            let site = self.site();
            self.shadow.fits(site, int.op, args, fits);
        }
    }

    pub(super) fn int_trapping(&mut self, base: usize, int: IntOp, r: R3) -> Step<()> {
        let (a, b) = (u128::from(self.get(base, r.a)), u128::from(self.get(base, r.b)));
        if S::ACTIVE && int.op.is_division() {
            self.follow_division(base, int, r);
        } else if S::ACTIVE {
            self.follow_fit(base, int, r, check(int.op, a, b, u32::from(int.width)).is_ok());
        }
        let bits = compute(int, a, b)?;
        self.put(base, r, Pure::Binary(int.op), Type::Int(int.width), Type::Int(int.width), bits as u64)
    }

    pub(super) fn wide_int(&mut self, base: usize, int: IntOp, r: R3) -> Step<()> {
        if S::ACTIVE && int.op.is_division() {
            self.follow_division(base, int, r);
        } else if S::ACTIVE && int.checked {
            let fits = check(int.op, self.wide(base, r.a), self.wide(base, r.b), u32::from(int.width)).is_ok();
            self.follow_fit(base, int, r, fits);
        }
        let bits = compute(int, self.wide(base, r.a), self.wide(base, r.b))?;
        let ty = Type::Int(int.width);
        if S::ACTIVE {
            self.follow(base, r, Pure::Binary(int.op), ty, ty, bits);
        }
        self.set_wide(base, r.d, bits);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn int_cmp(&mut self, base: usize, cmp: IntCmp, shift: u8, r: R3) -> Step<()> {
        if S::ACTIVE && shift == 0 {
            self.follow_addresses(base, r.a, r.b, !matches!(cmp, IntCmp::Eq | IntCmp::Ne));
        }
        let (a, b) = self.in_order(cmp, shift, self.get(base, r.a), self.get(base, r.b));
        let holds = compare_shifted(cmp, a << shift, b << shift);
        self.put(base, r, Pure::IntCmp(cmp), Type::Int(64 - shift), Type::BOOL, u64::from(holds))
    }

    pub(super) fn wide_cmp(&mut self, base: usize, cmp: IntCmp, width: u8, r: R3) -> Step<()> {
        let holds = compare(cmp, self.wide(base, r.a), self.wide(base, r.b), u32::from(width));
        self.put(base, r, Pure::IntCmp(cmp), Type::Int(width), Type::BOOL, u64::from(holds))
    }
}

/// Compares values that are shifted to the top: there the order of both signed and unsigned values is that of 64-bit
/// numbers.
#[inline(always)]
pub(super) fn compare_shifted(cmp: IntCmp, a: u64, b: u64) -> bool {
    match cmp {
        IntCmp::Eq => a == b,
        IntCmp::Ne => a != b,
        IntCmp::Ult => a < b,
        IntCmp::Ule => a <= b,
        IntCmp::Ugt => a > b,
        IntCmp::Uge => a >= b,
        IntCmp::Slt => (a as i64) < b as i64,
        IntCmp::Sle => a as i64 <= b as i64,
        IntCmp::Sgt => a as i64 > b as i64,
        IntCmp::Sge => a as i64 >= b as i64,
    }
}

pub(crate) fn compare(cmp: IntCmp, a: u128, b: u128, width: u32) -> bool {
    let (sa, sb) = (signed(a, width), signed(b, width));
    match cmp {
        IntCmp::Eq => a == b,
        IntCmp::Ne => a != b,
        IntCmp::Ult => a < b,
        IntCmp::Ule => a <= b,
        IntCmp::Ugt => a > b,
        IntCmp::Uge => a >= b,
        IntCmp::Slt => sa < sb,
        IntCmp::Sle => sa <= sb,
        IntCmp::Sgt => sa > sb,
        IntCmp::Sge => sa >= sb,
    }
}

/// What the hardware makes of a shift amount that C does not define: the low bits count.
fn shift_amount(amount: u128, width: u32) -> u32 {
    let modulus = if width <= 32 { 32 } else { width.next_power_of_two() };
    amount as u32 & (modulus - 1)
}

/// Any integer operation of any width, with its traps.
fn compute(int: IntOp, a: u128, b: u128) -> Step<u128> {
    let width = u32::from(int.width);
    if int.op.is_division() {
        return divide(int.op, a, b, width);
    }
    if int.checked {
        check(int.op, a, b, width)?;
    }
    let amount = shift_amount(b, width);
    let bits = match int.op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Shl => a.checked_shl(amount).unwrap_or(0),
        BinaryOp::LShr => a.checked_shr(amount).unwrap_or(0),
        BinaryOp::AShr => signed(a, width).wrapping_shr(amount.min(127)) as u128,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        _ => 0,
    };
    Ok(bits & mask(width))
}

fn divide(op: BinaryOp, a: u128, b: u128, width: u32) -> Step<u128> {
    let is_signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
    let (sa, sb) = (signed(a, width), signed(b, width));
    let word = if matches!(op, BinaryOp::URem | BinaryOp::SRem) { "remainder of division" } else { "division" };
    if b == 0 {
        let message = if is_signed { format!("{word} of {sa} by zero") } else { format!("{word} of {a} by zero") };
        return Err(Fault::new(TrapKind::DivisionByZero, message).into());
    }
    let lowest = signed(1 << (width - 1), width);
    if is_signed && sb == -1 && sa == lowest {
        let message = format!("{word} of {sa} by -1 does not fit {width} bits");
        return Err(Fault::new(TrapKind::DivisionOverflow, message).into());
    }
    let bits = match op {
        BinaryOp::UDiv => a / b,
        BinaryOp::URem => a % b,
        BinaryOp::SDiv => sa.wrapping_div(sb) as u128,
        _ => sa.wrapping_rem(sb) as u128,
    };
    Ok(bits & mask(width))
}

/// The checks that UBSan calls signed-integer-overflow and shift.
fn check(op: BinaryOp, a: u128, b: u128, width: u32) -> Step<()> {
    let (sa, sb) = (signed(a, width), signed(b, width));
    if op.is_shift() {
        if b >= u128::from(width) {
            let message = format!("shift of a {width}-bit value by {sb}");
            return Err(Fault::new(TrapKind::BadShift, message).into());
        }
        return Ok(());
    }
    let (exact, sign) = match op {
        BinaryOp::Add => (sa.checked_add(sb), '+'),
        BinaryOp::Sub => (sa.checked_sub(sb), '-'),
        BinaryOp::Mul => (sa.checked_mul(sb), '*'),
        _ => return Ok(()),
    };
    match exact {
        Some(value) if signed(value as u128 & mask(width), width) == value => Ok(()),
        _ => {
            let message = format!("{sa} {sign} {sb} does not fit {width} bits");
            Err(Fault::new(TrapKind::SignedOverflow, message).into())
        }
    }
}
