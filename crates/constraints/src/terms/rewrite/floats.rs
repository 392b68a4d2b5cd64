//! Floats. Few identities of the reals hold, so the rules avoid float reasoning where a comparison is really one of
//! integers or of a narrower format.

use super::{Rule, rules};
use crate::float::{self, Class};
use crate::op::Op;
use crate::sort::{FloatKind, Rounding, Sort, mask, to_signed};
use crate::term::{Node, TermId, Terms};

pub(super) const ARITHMETIC: &[Rule] = rules![float_times_one, float_with_nan, float_round_integer];
pub(super) const SIGN: &[Rule] = rules![float_sign_twice];
pub(super) const COMPARE: &[Rule] = rules![
    float_compare_same,
    float_compare_nan,
    float_compare_widened,
    float_compare_integers,
    float_compare_integer_constant,
];
pub(super) const CLASS: &[Rule] = rules![class_of_integer, class_of_sign_change, class_of_widened];
pub(super) const CONVERT: &[Rule] = rules![convert_there_and_back];
pub(super) const PATTERN: &[Rule] = rules![pattern_of_float_of_pattern, float_of_pattern_of_float];

fn float_const(t: &Terms, a: TermId) -> Option<u128> {
    match t.op(a) {
        Op::FloatConst(id) => Some(t.const_value(id)),
        _ => None,
    }
}

/// x · 1 → x;  x / 1 → x
fn float_times_one(t: &mut Terms, n: &Node) -> Option<TermId> {
    if !matches!(n.op, Op::FMul | Op::FDiv) {
        return None;
    }
    let kind = t.float_kind(n.args[0]);
    (float_const(t, n.args[1])? == float::power_of_two(kind, 0, false)).then(|| n.args[0])
}

/// Arithmetic with NaN is NaN.
fn float_with_nan(t: &mut Terms, n: &Node) -> Option<TermId> {
    let Sort::Float(kind) = n.sort else { return None };
    n.args.iter().find(|a| float_const(t, *a) == Some(float::nan(kind)))
}

/// An integer made a float is integral already.
fn float_round_integer(t: &mut Terms, n: &Node) -> Option<TermId> {
    let integral =
        matches!(n.op, Op::FRound(_)) && matches!(t.op(n.args[0]), Op::SToF(..) | Op::UToF(..) | Op::FRound(_));
    integral.then(|| n.args[0])
}

/// −−x → x;  |−x| → |x|;  ||x|| → |x|
fn float_sign_twice(t: &mut Terms, n: &Node) -> Option<TermId> {
    let inner = *t.node(n.args[0]);
    match (n.op, inner.op) {
        (Op::FNeg, Op::FNeg) => Some(inner.args[0]),
        (Op::FAbs, Op::FNeg) => Some(t.f_abs(inner.args[0])),
        (Op::FAbs, Op::FAbs) => Some(n.args[0]),
        _ => None,
    }
}

/// x == x → x is not NaN;  x < x → false
fn float_compare_same(t: &mut Terms, n: &Node) -> Option<TermId> {
    if n.args[0] != n.args[1] {
        return None;
    }
    if n.op == Op::FLt {
        return Some(t.ff());
    }
    let nan = t.f_is_nan(n.args[0]);
    Some(t.not(nan))
}

fn float_compare_nan(t: &mut Terms, n: &Node) -> Option<TermId> {
    let kind = t.float_kind(n.args[0]);
    n.args.iter().any(|a| float_const(t, a) == Some(float::nan(kind))).then(|| t.ff())
}

/// The argument of a conversion to a wider format, which is exact.
fn widened(t: &Terms, a: TermId) -> Option<(TermId, FloatKind)> {
    match t.op(a) {
        Op::FToF(to, _) => {
            let x = t.arg(a, 0);
            let from = t.float_kind(x);
            (from < to).then_some((x, from))
        }
        _ => None,
    }
}

/// Comparisons of widened floats, or of one with a constant that the narrow format has, in the narrow format. C's
/// `f < 1.5` is one, for a `float f`.
fn float_compare_widened(t: &mut Terms, n: &Node) -> Option<TermId> {
    let kind = t.float_kind(n.args[0]);
    let narrow = widened(t, n.args[0]).or_else(|| widened(t, n.args[1]))?.1;
    let mut args = [n.args[0], n.args[1]];
    for arg in &mut args {
        *arg = match (widened(t, *arg), float_const(t, *arg)) {
            (Some((x, from)), _) if from == narrow => x,
            (_, Some(c)) => {
                let small = float::convert(kind, narrow, c, Rounding::NearestEven);
                if float::convert(narrow, kind, small, Rounding::NearestEven) != c {
                    return None;
                }
                t.float(narrow, small)
            }
            _ => return None,
        };
    }
    Some(t.mk(n.op, &args, Sort::Bool))
}

/// An integer converted without loss: the integer and whether it is signed.
fn exact_integer(t: &Terms, a: TermId) -> Option<(TermId, bool)> {
    let (kind, signed) = match t.op(a) {
        Op::SToF(kind, _) => (kind, true),
        Op::UToF(kind, _) => (kind, false),
        _ => return None,
    };
    let x = t.arg(a, 0);
    (t.width(x) <= kind.significand_bits()).then_some((x, signed))
}

/// Comparisons of two integers made floats without loss are comparisons of the integers.
fn float_compare_integers(t: &mut Terms, n: &Node) -> Option<TermId> {
    let ((x, x_signed), (y, y_signed)) = (exact_integer(t, n.args[0])?, exact_integer(t, n.args[1])?);
    let width = t.width(x).max(t.width(y)) + 1;
    let extend = |t: &mut Terms, v: TermId, signed: bool| if signed { t.sext(v, width) } else { t.zext(v, width) };
    let (x, y) = (extend(t, x, x_signed), extend(t, y, y_signed));
    Some(match n.op {
        Op::FEq => t.eq(x, y),
        Op::FLt => t.slt(x, y),
        _ => t.sle(x, y),
    })
}

/// The comparison of an integer made a float without loss with a constant is one with the constant rounded up or down.
fn float_compare_integer_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, signed, constant_first) = match (exact_integer(t, n.args[0]), exact_integer(t, n.args[1])) {
        (Some((x, s)), None) => (x, s, false),
        (None, Some((x, s))) => (x, s, true),
        _ => return None,
    };
    let c = float_const(t, n.args[usize::from(!constant_first)])?;
    let kind = t.float_kind(n.args[0]);
    if float::class(kind, c) == Class::Nan {
        return Some(t.ff());
    }
    if n.op == Op::FEq {
        return Some(equals_integer(t, x, signed, kind, c));
    }
    // x < c iff x < ⌈c⌉;  x <= c iff x <= ⌊c⌋;  c < x iff ⌊c⌋ < x;  c <= x iff ⌈c⌉ <= x
    let up = (n.op == Op::FLt) != constant_first;
    let mode = if up { Rounding::Up } else { Rounding::Down };
    // Rounded in more bits than the integer has, so that a bound outside its range is seen as such.
    let wide = t.width(x) + 2;
    let below_all = float::is_negative(kind, c);
    let Some(bound) = float::to_integer(kind, c, wide, true, mode) else {
        return Some(t.bool(below_all == constant_first));
    };
    let x = if signed { t.sext(x, wide) } else { t.zext(x, wide) };
    let bound = t.bv(bound, wide);
    let (a, b) = if constant_first { (bound, x) } else { (x, bound) };
    Some(if n.op == Op::FLt { t.slt(a, b) } else { t.sle(a, b) })
}

fn equals_integer(t: &mut Terms, x: TermId, signed: bool, kind: FloatKind, c: u128) -> TermId {
    let w = t.width(x);
    let Some(value) = float::to_integer(kind, c, w, signed, Rounding::Zero) else { return t.ff() };
    let back = if signed {
        float::from_signed(kind, to_signed(value, w), Rounding::Zero)
    } else {
        float::from_unsigned(kind, value, Rounding::Zero)
    };
    // A zero of either sign equals the integer 0.
    if float::compare(kind, back, c).is_none_or(|o| o.is_ne()) {
        return t.ff();
    }
    let value = t.bv(value & mask(w), w);
    t.eq(x, value)
}

/// An integer made a float is never NaN, nor subnormal, and infinite only beyond the format's range, which no integer
/// of at most 127 bits is. Its zero is positive.
fn class_of_integer(t: &mut Terms, n: &Node) -> Option<TermId> {
    let signed = match t.op(n.args[0]) {
        Op::SToF(..) => true,
        Op::UToF(..) => false,
        _ => return None,
    };
    let x = t.arg(n.args[0], 0);
    match n.op {
        Op::FIsNan | Op::FIsSubnormal => Some(t.ff()),
        Op::FIsInf if t.width(x) < 128 => Some(t.ff()),
        Op::FIsZero => {
            let zero = t.bv(0, t.width(x));
            Some(t.eq(x, zero))
        }
        Op::FIsNegative if signed => {
            let zero = t.bv(0, t.width(x));
            Some(t.slt(x, zero))
        }
        Op::FIsNegative => Some(t.ff()),
        _ => None,
    }
}

/// The class of −x and |x|, sign aside, is that of x.
fn class_of_sign_change(t: &mut Terms, n: &Node) -> Option<TermId> {
    let inner = *t.node(n.args[0]);
    (matches!(inner.op, Op::FNeg | Op::FAbs) && n.op != Op::FIsNegative)
        .then(|| t.mk(n.op, &[inner.args[0]], Sort::Bool))
}

/// Widening keeps NaN, infinity, zero and the sign.
fn class_of_widened(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, _) = widened(t, n.args[0])?;
    matches!(n.op, Op::FIsNan | Op::FIsInf | Op::FIsZero | Op::FIsNegative).then(|| t.mk(n.op, &[x], Sort::Bool))
}

/// Widening and narrowing again gives the same number back.
fn convert_there_and_back(t: &mut Terms, n: &Node) -> Option<TermId> {
    let Op::FToF(to, _) = n.op else { return None };
    let (x, from) = widened(t, n.args[0])?;
    (from == to).then_some(x)
}

/// bits(float(b)) → b, but one pattern for all NaNs
fn pattern_of_float_of_pattern(t: &mut Terms, n: &Node) -> Option<TermId> {
    if n.op != Op::FToIeee {
        return None;
    }
    let kind = t.float_kind(n.args[0]);
    let b = t.un(n.args[0], Op::IeeeToF(kind))?;
    let w = kind.ieee_bits();
    let magnitude = t.extract(b, w - 2, 0);
    let infinity = float::to_ieee(kind, float::infinity(kind, false));
    let infinity = t.bv(infinity, w - 1);
    let is_nan = t.ult(infinity, magnitude);
    let nan = t.bv(float::to_ieee(kind, float::nan(kind)), w);
    debug_assert_eq!(float::class(kind, float::nan(kind)), Class::Nan);
    Some(t.ite(is_nan, nan, b))
}

/// float(bits(x)) → x
fn float_of_pattern_of_float(t: &mut Terms, n: &Node) -> Option<TermId> {
    let Op::IeeeToF(kind) = n.op else { return None };
    let x = t.un(n.args[0], Op::FToIeee)?;
    (t.float_kind(x) == kind).then_some(x)
}
