//! The meaning of each operation as a term.
//!
//! An `i1` is a Boolean term, other integers and pointers are bit-vectors, floats are floats of their format. What has no
//! exact counterpart (remainders of floats, most of mathematics) has no term: the machine then pins the operands, which
//! is exact too.

use covenant_constraints::{FloatKind, Rounding, TermId, Terms};
use covenant_program::ir::{BinaryOp, CastOp, FloatCmp, IntCmp, Intrinsic, Type};

use covenant_interpreter::shadow::{Pure, Shadowed};

/// What travels beside a value: a term where it depends on inputs.
pub type Term = Option<TermId>;

pub(super) fn float_kind(ty: Type) -> FloatKind {
    match ty {
        Type::F32 => FloatKind::F32,
        Type::F80 => FloatKind::F80,
        _ => FloatKind::F64,
    }
}

/// The value as a term, a constant where it has none.
pub fn lift(terms: &mut Terms, value: Shadowed<Term>) -> TermId {
    match (value.term, value.ty) {
        (Some(term), _) => term,
        (None, Type::Int(1)) => terms.bool(value.bits & 1 == 1),
        (None, ty) if ty.is_float() => terms.float(float_kind(ty), value.bits),
        (None, ty) => terms.bv(value.bits, ty.bits() as u8),
    }
}

/// The value as a bit-vector of its width, Booleans and floats too.
pub fn as_bits(terms: &mut Terms, value: Shadowed<Term>) -> TermId {
    let term = lift(terms, value);
    match value.ty {
        Type::Int(1) => terms.bool_to_bv(term),
        ty if ty.is_float() => terms.f_to_bits(term),
        _ => term,
    }
}

/// A bit-vector as a value of the type.
pub fn from_bits(terms: &mut Terms, bits: TermId, ty: Type) -> TermId {
    match ty {
        Type::Int(1) => terms.bv_to_bool(bits),
        ty if ty.is_float() => terms.bits_to_f(bits, float_kind(ty)),
        _ => bits,
    }
}

/// The term of a pure operation; `None` where nothing in it depends on inputs, or where there is no such term.
pub fn compute(terms: &mut Terms, op: Pure, args: &[Shadowed<Term>], ty: Type) -> Option<TermId> {
    match op {
        Pure::Unary(_) => {
            let a = lift(terms, args[0]);
            Some(terms.f_neg(a))
        }
        Pure::Binary(op) if op.is_float() => float(terms, op, args),
        Pure::Binary(op) => integer(terms, op, args, ty),
        Pure::IntCmp(cmp) => {
            let (a, b) = (as_bits(terms, args[0]), as_bits(terms, args[1]));
            Some(int_cmp(terms, cmp, a, b))
        }
        Pure::FloatCmp(cmp) => {
            let (a, b) = (lift(terms, args[0]), lift(terms, args[1]));
            Some(float_cmp(terms, cmp, a, b))
        }
        Pure::Cast(op) => cast(terms, op, args[0], ty),
        Pure::Select => {
            let (c, a, b) = (lift(terms, args[0]), lift(terms, args[1]), lift(terms, args[2]));
            Some(terms.ite(c, a, b))
        }
        Pure::PtrAdd { scale, disp } => {
            let (base, index) = (lift(terms, args[0]), lift(terms, args[1]));
            let distance = super::memory::distance(terms, Some(index), scale, disp);
            Some(terms.add(base, distance))
        }
        Pure::Intrinsic(op, result) => intrinsic(terms, op, result, args, ty),
    }
}

fn integer(terms: &mut Terms, op: BinaryOp, args: &[Shadowed<Term>], ty: Type) -> Option<TermId> {
    if ty == Type::BOOL {
        let (a, b) = (lift(terms, args[0]), lift(terms, args[1]));
        return Some(match op {
            BinaryOp::And | BinaryOp::Mul => terms.and(a, b),
            BinaryOp::Or => terms.or(a, b),
            BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => terms.xor(a, b),
            _ => return None,
        });
    }
    let (a, b) = (lift(terms, args[0]), lift(terms, args[1]));
    let width = ty.bits() as u8;
    Some(match op {
        BinaryOp::Add => terms.add(a, b),
        BinaryOp::Sub => terms.sub(a, b),
        BinaryOp::Mul => terms.mul(a, b),
        BinaryOp::UDiv => terms.udiv(a, b),
        BinaryOp::SDiv => terms.sdiv(a, b),
        BinaryOp::URem => terms.urem(a, b),
        BinaryOp::SRem => terms.srem(a, b),
        BinaryOp::And => terms.bv_and(a, b),
        BinaryOp::Or => terms.bv_or(a, b),
        BinaryOp::Xor => terms.bv_xor(a, b),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            // The machine takes the low bits of the amount, as the hardware does; widths under 32 count as 32.
            let modulus: u32 = if width <= 32 { 32 } else { u32::from(width).next_power_of_two() };
            if u32::from(width) < 6 {
                return None;
            }
            let mask = terms.bv(u128::from(modulus - 1), width);
            let amount = terms.bv_and(b, mask);
            match op {
                BinaryOp::Shl => terms.shl(a, amount),
                BinaryOp::LShr => terms.lshr(a, amount),
                _ => terms.ashr(a, amount),
            }
        }
        _ => return None,
    })
}

fn float(terms: &mut Terms, op: BinaryOp, args: &[Shadowed<Term>]) -> Option<TermId> {
    let (a, b) = (lift(terms, args[0]), lift(terms, args[1]));
    Some(match op {
        BinaryOp::FAdd => terms.f_add(a, b),
        BinaryOp::FSub => terms.f_sub(a, b),
        BinaryOp::FMul => terms.f_mul(a, b),
        BinaryOp::FDiv => terms.f_div(a, b),
        _ => return None,
    })
}

pub(super) fn int_cmp(terms: &mut Terms, cmp: IntCmp, a: TermId, b: TermId) -> TermId {
    match cmp {
        IntCmp::Eq => terms.eq(a, b),
        IntCmp::Ne => terms.ne(a, b),
        IntCmp::Ult => terms.ult(a, b),
        IntCmp::Ule => terms.ule(a, b),
        IntCmp::Ugt => terms.ult(b, a),
        IntCmp::Uge => terms.ule(b, a),
        IntCmp::Slt => terms.slt(a, b),
        IntCmp::Sle => terms.sle(a, b),
        IntCmp::Sgt => terms.slt(b, a),
        IntCmp::Sge => terms.sle(b, a),
    }
}

fn float_cmp(terms: &mut Terms, cmp: FloatCmp, a: TermId, b: TermId) -> TermId {
    let nan = |terms: &mut Terms| {
        let (x, y) = (terms.f_is_nan(a), terms.f_is_nan(b));
        terms.or(x, y)
    };
    let ordered = match cmp {
        FloatCmp::Oeq | FloatCmp::Ueq => terms.f_eq(a, b),
        FloatCmp::Ogt | FloatCmp::Ugt => terms.f_lt(b, a),
        FloatCmp::Oge | FloatCmp::Uge => terms.f_le(b, a),
        FloatCmp::Olt | FloatCmp::Ult => terms.f_lt(a, b),
        FloatCmp::Ole | FloatCmp::Ule => terms.f_le(a, b),
        FloatCmp::One => {
            let (less, more) = (terms.f_lt(a, b), terms.f_lt(b, a));
            return terms.or(less, more);
        }
        FloatCmp::Une => {
            let equal = terms.f_eq(a, b);
            return terms.not(equal);
        }
        FloatCmp::Uno => return nan(terms),
        FloatCmp::Ord => {
            let nan = nan(terms);
            return terms.not(nan);
        }
    };
    if matches!(cmp, FloatCmp::Ueq | FloatCmp::Ugt | FloatCmp::Uge | FloatCmp::Ult | FloatCmp::Ule) {
        let nan = nan(terms);
        return terms.or(nan, ordered);
    }
    ordered
}

fn cast(terms: &mut Terms, op: CastOp, arg: Shadowed<Term>, ty: Type) -> Option<TermId> {
    let width = ty.bits() as u8;
    let near = Rounding::NearestEven;
    Some(match op {
        CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr => {
            let bits = as_bits(terms, arg);
            let resized = resize(terms, bits, width, false);
            from_bits(terms, resized, ty)
        }
        CastOp::SExt => {
            let bits = as_bits(terms, arg);
            resize(terms, bits, width, true)
        }
        CastOp::Bitcast => {
            let bits = as_bits(terms, arg);
            from_bits(terms, bits, ty)
        }
        CastOp::FpTrunc | CastOp::FpExt => {
            let a = lift(terms, arg);
            terms.f_to_f(a, float_kind(ty), near)
        }
        CastOp::SiToFp => {
            let bits = as_bits(terms, arg);
            terms.s_to_f(bits, float_kind(ty), near)
        }
        CastOp::UiToFp => {
            let bits = as_bits(terms, arg);
            terms.u_to_f(bits, float_kind(ty), near)
        }
        CastOp::FpToSi | CastOp::FpToUi if width > 64 => return None,
        CastOp::FpToSi => {
            let a = lift(terms, arg);
            let bits = terms.f_to_s(a, if width <= 32 { 32 } else { 64 }, Rounding::Zero);
            let bits = resize(terms, bits, width, false);
            from_bits(terms, bits, ty)
        }
        CastOp::FpToUi => {
            let a = lift(terms, arg);
            let bits = to_unsigned(terms, a, width);
            from_bits(terms, bits, ty)
        }
    })
}

/// As the hardware does it: through a signed conversion, of twice the size where there is one.
fn to_unsigned(terms: &mut Terms, a: TermId, width: u8) -> TermId {
    if width < 64 {
        let bits = terms.f_to_s(a, if width <= 16 { 32 } else { 64 }, Rounding::Zero);
        return resize(terms, bits, width, false);
    }
    let fits = terms.f_in_int_range(a, 64, false, Rounding::Zero);
    let (unsigned, signed) = (terms.f_to_u(a, 64, Rounding::Zero), terms.f_to_s(a, 64, Rounding::Zero));
    terms.ite(fits, unsigned, signed)
}

/// Cuts a word to a width, or extends it.
pub fn resize(terms: &mut Terms, bits: TermId, width: u8, signed: bool) -> TermId {
    let now = terms.width(bits);
    match now.cmp(&width) {
        std::cmp::Ordering::Equal => bits,
        std::cmp::Ordering::Greater => terms.trunc(bits, width),
        std::cmp::Ordering::Less if signed => terms.sext(bits, width),
        std::cmp::Ordering::Less => terms.zext(bits, width),
    }
}

/// What looks at each bit of a word: how many are set, how many zeros are above the highest or below the lowest, the other way round.
fn of_bits(terms: &mut Terms, op: Intrinsic, a: TermId) -> TermId {
    let width = terms.width(a);
    let number = |n: u8| u128::from(n);
    match op {
        Intrinsic::CtPop => (0..width).fold(terms.bv(0, width), |sum, i| {
            let bit = terms.extract(a, i, i);
            let bit = terms.zext(bit, width);
            terms.add(sum, bit)
        }),
        Intrinsic::BitReverse => {
            let lowest = terms.extract(a, 0, 0);
            (1..width).fold(lowest, |above, i| {
                let bit = terms.extract(a, i, i);
                terms.concat(above, bit)
            })
        }
        // The last one that is set decides.
        _ => (0..width).fold(terms.bv(number(width), width), |before, i| {
            let left = width - 1 - i;
            let place = if op == Intrinsic::CtLz { i } else { left };
            let (bit, one, count) = (terms.extract(a, place, place), terms.bv(1, 1), terms.bv(number(left), width));
            let is_set = terms.eq(bit, one);
            terms.ite(is_set, count, before)
        }),
    }
}

fn intrinsic(terms: &mut Terms, op: Intrinsic, result: u32, args: &[Shadowed<Term>], ty: Type) -> Option<TermId> {
    let a = lift(terms, *args.first()?);
    let b = args.get(1).map(|&b| lift(terms, b));
    let overflow = |terms: &mut Terms,
                    wrapped: fn(&mut Terms, TermId, TermId) -> TermId,
                    over: fn(&mut Terms, TermId, TermId) -> TermId| {
        let b = b?;
        Some(if result == 0 { wrapped(terms, a, b) } else { over(terms, a, b) })
    };
    match op {
        Intrinsic::SAddOverflow => overflow(terms, Terms::add, Terms::saddo),
        Intrinsic::UAddOverflow => overflow(terms, Terms::add, Terms::uaddo),
        Intrinsic::SSubOverflow => overflow(terms, Terms::sub, Terms::ssubo),
        Intrinsic::USubOverflow => overflow(terms, Terms::sub, Terms::usubo),
        Intrinsic::SMulOverflow => overflow(terms, Terms::mul, Terms::smulo),
        Intrinsic::UMulOverflow => overflow(terms, Terms::mul, Terms::umulo),
        Intrinsic::SMin => Some(terms.smin(a, b?)),
        Intrinsic::SMax => Some(terms.smax(a, b?)),
        Intrinsic::UMin => Some(terms.umin(a, b?)),
        Intrinsic::UMax => Some(terms.umax(a, b?)),
        Intrinsic::Abs => {
            let (zero, negated) = (terms.bv(0, ty.bits() as u8), terms.neg(a));
            let negative = terms.slt(a, zero);
            Some(terms.ite(negative, negated, a))
        }
        Intrinsic::BSwap => {
            let bytes = ty.bits() as u8 / 8;
            let mut out = terms.extract(a, 7, 0);
            for i in 1..bytes {
                let byte = terms.extract(a, 8 * i + 7, 8 * i);
                out = terms.concat(out, byte);
            }
            Some(out)
        }
        Intrinsic::CtPop | Intrinsic::CtLz | Intrinsic::CtTz | Intrinsic::BitReverse => Some(of_bits(terms, op, a)),
        Intrinsic::FAbs => Some(terms.f_abs(a)),
        Intrinsic::Sqrt => Some(terms.f_sqrt(a)),
        Intrinsic::Fma => {
            let c = lift(terms, *args.get(2)?);
            Some(terms.f_fma(a, b?, c))
        }
        Intrinsic::FMulAdd => {
            let c = lift(terms, *args.get(2)?);
            let product = terms.f_mul(a, b?);
            Some(terms.f_add(product, c))
        }
        Intrinsic::Floor => Some(terms.f_round(a, Rounding::Down)),
        Intrinsic::Ceil => Some(terms.f_round(a, Rounding::Up)),
        Intrinsic::FTrunc => Some(terms.f_round(a, Rounding::Zero)),
        Intrinsic::Round => Some(terms.f_round(a, Rounding::NearestAway)),
        Intrinsic::RoundEven | Intrinsic::Rint | Intrinsic::NearbyInt => Some(terms.f_round(a, Rounding::NearestEven)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_words_are_counted() {
        let terms = &mut Terms::default();
        for word in 0..=u8::MAX {
            let a = terms.bv(u128::from(word), 8);
            for (op, expected) in [
                (Intrinsic::CtPop, word.count_ones()),
                (Intrinsic::CtLz, word.leading_zeros()),
                (Intrinsic::CtTz, word.trailing_zeros()),
                (Intrinsic::BitReverse, u32::from(word.reverse_bits())),
            ] {
                let found = of_bits(terms, op, a);
                assert_eq!(found, terms.bv(u128::from(expected), 8), "{op:?} of {word}");
            }
        }
    }
}
