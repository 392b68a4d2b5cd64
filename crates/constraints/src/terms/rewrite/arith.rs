//! Sums, products, quotients.

use super::{Rule, linear, rules};
use crate::op::Op;
use crate::sort::mask;
use crate::term::{Node, TermId, Terms};

pub(super) const NEG: &[Rule] = rules![neg_neg, neg_difference, neg_sum_with_constant, neg_product];
pub(super) const ADD: &[Rule] = rules![
    add_zero,
    add_constants,
    add_constant_to_difference,
    add_negation,
    add_constant_outwards,
    add_complement,
    add_disjoint_bits,
    add_combine
];
pub(super) const SUB: &[Rule] =
    rules![sub_same, sub_constant, sub_from_zero, sub_negation, sub_constant_outwards, sub_nested, sub_combine];
pub(super) const MUL: &[Rule] = rules![mul_trivial, mul_power_of_two, mul_constants, mul_negations];
pub(super) const UDIV: &[Rule] = rules![udiv_by_one, udiv_power_of_two, udiv_narrow];
pub(super) const UREM: &[Rule] = rules![urem_power_of_two, urem_narrow];
pub(super) const SDIV: &[Rule] = rules![sdiv_by_unit, sdiv_nonnegative, sdiv_narrow];
pub(super) const SREM: &[Rule] = rules![srem_by_unit, srem_nonnegative, srem_narrow];

fn neg_neg(t: &mut Terms, n: &Node) -> Option<TermId> {
    t.un(n.args[0], Op::BvNeg)
}

/// −(x − y) → y − x
fn neg_difference(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, y) = t.bin(n.args[0], Op::Sub)?;
    Some(t.sub(y, x))
}

/// −(x + c) → −c − x
fn neg_sum_with_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, c) = t.with_const(n.args[0], Op::Add)?;
    let c = t.bv(c.wrapping_neg(), n.sort.width());
    Some(t.sub(c, x))
}

/// −(x · c) → x · −c
fn neg_product(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, c) = t.with_const(n.args[0], Op::Mul)?;
    let c = t.bv(c.wrapping_neg(), n.sort.width());
    Some(t.mul(x, c))
}

fn add_zero(t: &mut Terms, n: &Node) -> Option<TermId> {
    t.is_zero(n.args[1]).then(|| n.args[0])
}

/// (x + c) + d → x + (c + d)
fn add_constants(t: &mut Terms, n: &Node) -> Option<TermId> {
    let d = t.as_bv(n.args[1])?;
    let (x, c) = t.with_const(n.args[0], Op::Add)?;
    let sum = t.bv(c.wrapping_add(d), n.sort.width());
    Some(t.add(x, sum))
}

/// (c − x) + d → (c + d) − x
fn add_constant_to_difference(t: &mut Terms, n: &Node) -> Option<TermId> {
    let d = t.as_bv(n.args[1])?;
    let (c, x) = t.bin(n.args[0], Op::Sub)?;
    let sum = t.bv(t.as_bv(c)?.wrapping_add(d), n.sort.width());
    Some(t.sub(sum, x))
}

/// x + −y → x − y
fn add_negation(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (a, b) = (n.args[0], n.args[1]);
    if let Some(y) = t.un(b, Op::BvNeg) {
        return Some(t.sub(a, y));
    }
    let y = t.un(a, Op::BvNeg)?;
    Some(t.sub(b, y))
}

/// (x + c) + y → (x + y) + c
fn add_constant_outwards(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (a, b) = (n.args[0], n.args[1]);
    if t.is_const(b) {
        return None;
    }
    let ((x, c), y) = match (t.with_const(a, Op::Add), t.with_const(b, Op::Add)) {
        (Some(sum), _) => (sum, b),
        (None, Some(sum)) => (sum, a),
        (None, None) => return None,
    };
    let (sum, c) = (t.add(x, y), t.bv(c, n.sort.width()));
    Some(t.add(sum, c))
}

/// x + ~x → −1
fn add_complement(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (a, b) = (n.args[0], n.args[1]);
    let opposite = t.un(a, Op::BvNot) == Some(b) || t.un(b, Op::BvNot) == Some(a);
    opposite.then(|| t.ones(n.sort.width()))
}

/// (x ∘ 0) + zext y → x ∘ y where y fits into the zeros
fn add_disjoint_bits(t: &mut Terms, n: &Node) -> Option<TermId> {
    if n.args.iter().any(|a| t.is_const(a)) {
        return None;
    }
    super::bits::join_disjoint(t, n.args[0], n.args[1])
}

/// Equal summands become multiples or vanish: (x + y) − x, in any nesting.
fn add_combine(t: &mut Terms, n: &Node) -> Option<TermId> {
    linear::combine(t, Op::Add, n.args[0], n.args[1])
}

fn sub_same(t: &mut Terms, n: &Node) -> Option<TermId> {
    (n.args[0] == n.args[1]).then(|| t.bv(0, n.sort.width()))
}

/// x − c → x + −c
fn sub_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    let c = t.as_bv(n.args[1])?;
    let c = t.bv(c.wrapping_neg(), n.sort.width());
    Some(t.add(n.args[0], c))
}

/// 0 − x → −x
fn sub_from_zero(t: &mut Terms, n: &Node) -> Option<TermId> {
    t.is_zero(n.args[0]).then(|| t.neg(n.args[1]))
}

/// x − −y → x + y
fn sub_negation(t: &mut Terms, n: &Node) -> Option<TermId> {
    let y = t.un(n.args[1], Op::BvNeg)?;
    Some(t.add(n.args[0], y))
}

/// (x + c) − y → (x − y) + c;  x − (y + c) → (x − y) − c
fn sub_constant_outwards(t: &mut Terms, n: &Node) -> Option<TermId> {
    let w = n.sort.width();
    if let Some((x, c)) = t.with_const(n.args[0], Op::Add) {
        let (difference, c) = (t.sub(x, n.args[1]), t.bv(c, w));
        return Some(t.add(difference, c));
    }
    let (y, c) = t.with_const(n.args[1], Op::Add)?;
    let (difference, c) = (t.sub(n.args[0], y), t.bv(c.wrapping_neg(), w));
    Some(t.add(difference, c))
}

/// x − (c − y) → (x + y) − c
fn sub_nested(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (c, y) = t.bin(n.args[1], Op::Sub)?;
    t.as_bv(c)?;
    let sum = t.add(n.args[0], y);
    Some(t.sub(sum, c))
}

fn sub_combine(t: &mut Terms, n: &Node) -> Option<TermId> {
    linear::combine(t, Op::Sub, n.args[0], n.args[1])
}

/// x · 0 → 0;  x · 1 → x;  x · −1 → −x
fn mul_trivial(t: &mut Terms, n: &Node) -> Option<TermId> {
    let c = t.as_bv(n.args[1])?;
    match c {
        0 => Some(n.args[1]),
        1 => Some(n.args[0]),
        c if c == mask(n.sort.width()) => Some(t.neg(n.args[0])),
        _ => None,
    }
}

/// x · 2^k → x << k
fn mul_power_of_two(t: &mut Terms, n: &Node) -> Option<TermId> {
    let c = t.as_bv(n.args[1])?;
    if !c.is_power_of_two() {
        return None;
    }
    let by = t.bv(u128::from(c.trailing_zeros()), n.sort.width());
    Some(t.shl(n.args[0], by))
}

/// (x · c) · d → x · (c · d)
fn mul_constants(t: &mut Terms, n: &Node) -> Option<TermId> {
    let d = t.as_bv(n.args[1])?;
    let (x, c) = t.with_const(n.args[0], Op::Mul)?;
    let product = t.bv(c.wrapping_mul(d), n.sort.width());
    Some(t.mul(x, product))
}

/// −x · c → x · −c;  −x · −y → x · y
fn mul_negations(t: &mut Terms, n: &Node) -> Option<TermId> {
    let x = t.un(n.args[0], Op::BvNeg)?;
    if let Some(c) = t.as_bv(n.args[1]) {
        let c = t.bv(c.wrapping_neg(), n.sort.width());
        return Some(t.mul(x, c));
    }
    let y = t.un(n.args[1], Op::BvNeg)?;
    Some(t.mul(x, y))
}

fn udiv_by_one(t: &mut Terms, n: &Node) -> Option<TermId> {
    (t.as_bv(n.args[1]) == Some(1)).then(|| n.args[0])
}

/// x / 2^k → x >> k
fn udiv_power_of_two(t: &mut Terms, n: &Node) -> Option<TermId> {
    let c = t.as_bv(n.args[1])?;
    if !c.is_power_of_two() {
        return None;
    }
    let by = t.bv(u128::from(c.trailing_zeros()), n.sort.width());
    Some(t.lshr(n.args[0], by))
}

/// x % 2^k → the low k bits
fn urem_power_of_two(t: &mut Terms, n: &Node) -> Option<TermId> {
    let c = t.as_bv(n.args[1])?;
    if !c.is_power_of_two() {
        return None;
    }
    let low = t.bv(c - 1, n.sort.width());
    Some(t.bv_and(n.args[0], low))
}

/// zext x / c → zext (x / c), or 0 for c beyond the narrow width; the divisor is not 0
fn udiv_narrow(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, c) = (t.un(n.args[0], Op::ZExt)?, t.as_bv(n.args[1])?);
    let (narrow, w) = (t.width(x), n.sort.width());
    if c > mask(narrow) {
        return Some(t.bv(0, w));
    }
    if c == 0 {
        return None;
    }
    let c = t.bv(c, narrow);
    let quotient = t.udiv(x, c);
    Some(t.zext(quotient, w))
}

/// zext x % c → zext (x % c), or zext x for c beyond the narrow width
fn urem_narrow(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, c) = (t.un(n.args[0], Op::ZExt)?, t.as_bv(n.args[1])?);
    let narrow = t.width(x);
    if c > mask(narrow) {
        return Some(n.args[0]);
    }
    let c = t.bv(c, narrow);
    let remainder = t.urem(x, c);
    Some(t.zext(remainder, n.sort.width()))
}

/// x / 1 → x;  x / −1 → −x
fn sdiv_by_unit(t: &mut Terms, n: &Node) -> Option<TermId> {
    let c = t.as_bv(n.args[1])?;
    if c == mask(n.sort.width()) {
        return Some(t.neg(n.args[0]));
    }
    (c == 1).then(|| n.args[0])
}

fn srem_by_unit(t: &mut Terms, n: &Node) -> Option<TermId> {
    let c = t.as_bv(n.args[1])?;
    (c == 1 || c == mask(n.sort.width())).then(|| t.bv(0, n.sort.width()))
}

/// Whether the top bit is always zero.
fn nonnegative(t: &Terms, a: TermId) -> bool {
    t.unsigned_bits(a) < t.width(a)
}

/// Signed division of numbers that are not negative is unsigned division.
fn sdiv_nonnegative(t: &mut Terms, n: &Node) -> Option<TermId> {
    n.args.iter().all(|a| nonnegative(t, a)).then(|| t.udiv(n.args[0], n.args[1]))
}

fn srem_nonnegative(t: &mut Terms, n: &Node) -> Option<TermId> {
    n.args.iter().all(|a| nonnegative(t, a)).then(|| t.urem(n.args[0], n.args[1]))
}

/// For sext x and a constant that the narrow width holds: both narrow, and the constant.
fn narrow_signed(t: &mut Terms, n: &Node) -> Option<(TermId, TermId)> {
    let (x, c) = (t.un(n.args[0], Op::SExt)?, t.as_bv(n.args[1])?);
    let narrow = t.width(x);
    if c == 0 || t.signed_bits(n.args[1]) > narrow {
        return None;
    }
    Some((x, t.bv(c, narrow)))
}

/// sext x / c → sext (x / c); not for −1, where the narrow division alone could overflow
fn sdiv_narrow(t: &mut Terms, n: &Node) -> Option<TermId> {
    if t.is_ones(n.args[1]) {
        return None;
    }
    let (x, c) = narrow_signed(t, n)?;
    let quotient = t.sdiv(x, c);
    Some(t.sext(quotient, n.sort.width()))
}

fn srem_narrow(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, c) = narrow_signed(t, n)?;
    let remainder = t.srem(x, c);
    Some(t.sext(remainder, n.sort.width()))
}
