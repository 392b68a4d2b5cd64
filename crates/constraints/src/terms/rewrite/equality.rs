//! Equality of bit-vectors, Booleans and arrays.

use super::{Rule, compare, linear, rules};
use crate::op::Op;
use crate::sort::{Sort, mask, to_signed};
use crate::term::{Node, TermId, Terms};

pub(super) const EQ: &[Rule] = rules![
    eq_same,
    eq_truth_value,
    eq_negated,
    eq_complement,
    eq_zero_bit,
    eq_bit_of_condition,
    eq_bit_logic,
    eq_move_constant,
    eq_undo_both_sides,
    eq_difference_zero,
    eq_odd_multiple,
    eq_narrow_multiple,
    eq_extension_constant,
    eq_extensions,
    eq_concat,
    eq_forced_bits,
    eq_conditional_constant,
    eq_table,
    eq_common_summands,
];

fn eq_same(t: &mut Terms, n: &Node) -> Option<TermId> {
    (n.args[0] == n.args[1]).then(|| t.tt())
}

/// (a = true) → a;  (a = false) → ¬a
fn eq_truth_value(t: &mut Terms, n: &Node) -> Option<TermId> {
    match t.as_bool(n.args[1])? {
        true => Some(n.args[0]),
        false => Some(t.not(n.args[0])),
    }
}

/// (¬a = ¬b) → a = b;  (¬a = b) → ¬(a = b)
fn eq_negated(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (a, b) = (n.args[0], n.args[1]);
    match (t.un(a, Op::Not), t.un(b, Op::Not)) {
        (Some(x), Some(y)) => Some(t.eq(x, y)),
        (Some(x), None) => {
            let same = t.eq(x, b);
            Some(t.not(same))
        }
        (None, Some(y)) => {
            let same = t.eq(a, y);
            Some(t.not(same))
        }
        (None, None) => None,
    }
}

/// (a = ¬a) → false, also for comparisons and for ~x
fn eq_complement(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (a, b) = (n.args[0], n.args[1]);
    let opposite = match t.sort(a) {
        Sort::Bool => t.complementary(a, b),
        Sort::Bv(_) => t.un(a, Op::BvNot) == Some(b) || t.un(b, Op::BvNot) == Some(a),
        _ => false,
    };
    opposite.then(|| t.ff())
}

/// (x = 0) → ¬(x = 1) for a single bit, so that there is one form
fn eq_zero_bit(t: &mut Terms, n: &Node) -> Option<TermId> {
    if t.sort(n.args[0]) != Sort::Bv(1) || !t.is_zero(n.args[1]) {
        return None;
    }
    let set = t.bv_to_bool(n.args[0]);
    Some(t.not(set))
}

/// (bit(c) = 1) → c;  (bit(c) = bit(d)) → c = d
fn eq_bit_of_condition(t: &mut Terms, n: &Node) -> Option<TermId> {
    let c = t.un(n.args[0], Op::BoolToBv)?;
    if t.as_bv(n.args[1]) == Some(1) {
        return Some(c);
    }
    let d = t.un(n.args[1], Op::BoolToBv)?;
    Some(t.eq(c, d))
}

/// (x & y = 1) → x = 1 ∧ y = 1 for single bits, and so on, where a bit is a condition already
fn eq_bit_logic(t: &mut Terms, n: &Node) -> Option<TermId> {
    let inner = *t.node(n.args[0]);
    if inner.sort != Sort::Bv(1) || t.as_bv(n.args[1]) != Some(1) {
        return None;
    }
    if inner.op == Op::BvNot {
        let set = t.bv_to_bool(inner.args[0]);
        return Some(t.not(set));
    }
    let logical = matches!(inner.op, Op::BvAnd | Op::BvOr | Op::BvXor)
        && inner.args.iter().any(|x| t.op(x) == Op::BoolToBv || t.is_const(x));
    if !logical {
        return None;
    }
    let (x, y) = (t.bv_to_bool(inner.args[0]), t.bv_to_bool(inner.args[1]));
    Some(match inner.op {
        Op::BvAnd => t.and(x, y),
        Op::BvOr => t.or(x, y),
        _ => t.xor(x, y),
    })
}

/// (x + c = d) → x = d − c, and the same for −, ^, ~ and negation
fn eq_move_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    let d = t.as_bv(n.args[1])?;
    let inner = *t.node(n.args[0]);
    let second = inner.args.len() > 1;
    let (x, value) = match inner.op {
        Op::Add if second => (inner.args[0], d.wrapping_sub(t.as_bv(inner.args[1])?)),
        Op::BvXor => (inner.args[0], d ^ t.as_bv(inner.args[1])?),
        Op::Sub => (inner.args[1], t.as_bv(inner.args[0])?.wrapping_sub(d)),
        Op::BvNot => (inner.args[0], !d),
        Op::BvNeg => (inner.args[0], d.wrapping_neg()),
        _ => return None,
    };
    let value = t.bv(value, t.width(x));
    Some(t.eq(x, value))
}

/// (~x = ~y) → x = y, and the same for negation
fn eq_undo_both_sides(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (a, b) = (*t.node(n.args[0]), *t.node(n.args[1]));
    (a.op == b.op && matches!(a.op, Op::BvNot | Op::BvNeg)).then(|| t.eq(a.args[0], b.args[0]))
}

/// (x − y = 0) → x = y;  (x ^ y = 0) → x = y
fn eq_difference_zero(t: &mut Terms, n: &Node) -> Option<TermId> {
    if !t.is_zero(n.args[1]) {
        return None;
    }
    let (x, y) = t.bin(n.args[0], Op::Sub).or_else(|| t.bin(n.args[0], Op::BvXor))?;
    Some(t.eq(x, y))
}

/// (x · c = d) → x = d / c modulo 2^w, for odd c
fn eq_odd_multiple(t: &mut Terms, n: &Node) -> Option<TermId> {
    let d = t.as_bv(n.args[1])?;
    let (x, c) = t.with_const(n.args[0], Op::Mul)?;
    if c & 1 == 0 {
        return None;
    }
    let quotient = t.bv(d.wrapping_mul(linear::inverse(c)), t.width(x));
    Some(t.eq(x, quotient))
}

/// (x · c = d) → x = d / c, or false where nothing gives d, if the product cannot overflow
fn eq_narrow_multiple(t: &mut Terms, n: &Node) -> Option<TermId> {
    let d = t.as_bv(n.args[1])?;
    let (x, c) = t.with_const(n.args[0], Op::Mul)?;
    let w = t.width(x);
    let factor = t.bv(c, w);
    let needed = u32::from(t.signed_bits(x)) + u32::from(t.signed_bits(factor));
    let (c, d) = (to_signed(c, w), to_signed(d, w));
    if needed > u32::from(w) {
        return None;
    }
    if d.checked_rem(c)? != 0 {
        return Some(t.ff());
    }
    let quotient = t.bv(d.checked_div(c)? as u128 & mask(w), w);
    Some(t.eq(x, quotient))
}

/// (zext x = c) → x = c in the narrow width, or false where no x gives c; the same for sext
fn eq_extension_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    let c = t.as_bv(n.args[1])?;
    let inner = *t.node(n.args[0]);
    if !matches!(inner.op, Op::ZExt | Op::SExt) {
        return None;
    }
    let (x, wide) = (inner.args[0], inner.sort.width());
    let narrow = t.width(x);
    let extended = if inner.op == Op::ZExt { c & mask(narrow) } else { to_signed(c, narrow) as u128 & mask(wide) };
    if extended != c {
        return Some(t.ff());
    }
    let c = t.bv(c, narrow);
    Some(t.eq(x, c))
}

/// (zext x = zext y) → x = y, at the wider of the two widths; the same for sext
fn eq_extensions(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (a, b) = (*t.node(n.args[0]), *t.node(n.args[1]));
    if a.op != b.op || !matches!(a.op, Op::ZExt | Op::SExt) {
        return None;
    }
    let (x, y) = (a.args[0], b.args[0]);
    let width = t.width(x).max(t.width(y));
    let (x, y) =
        if a.op == Op::ZExt { (t.zext(x, width), t.zext(y, width)) } else { (t.sext(x, width), t.sext(y, width)) };
    Some(t.eq(x, y))
}

/// (a ∘ b = c ∘ d) → a = c ∧ b = d, where ∘ is concatenation and the right side a constant or cut at the same place
fn eq_concat(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (a, b) = t.bin(n.args[0], Op::Concat)?;
    let low_width = t.width(b);
    let other = n.args[1];
    let splits = t.is_const(other) || t.bin(other, Op::Concat).is_some_and(|(_, d)| t.width(d) == low_width);
    if !splits {
        return None;
    }
    let (c, d) = (t.extract(other, t.width(other) - 1, low_width), t.extract(other, low_width - 1, 0));
    let (high, low) = (t.eq(a, c), t.eq(b, d));
    Some(t.and(high, low))
}

/// (x & m = d) → false where d has a bit outside m;  (x | m = d) → false where d lacks a bit of m
fn eq_forced_bits(t: &mut Terms, n: &Node) -> Option<TermId> {
    let d = t.as_bv(n.args[1])?;
    let impossible = match (t.with_const(n.args[0], Op::BvAnd), t.with_const(n.args[0], Op::BvOr)) {
        (Some((_, m)), _) => d & !m != 0,
        (_, Some((_, m))) => m & !d != 0,
        _ => false,
    };
    impossible.then(|| t.ff())
}

/// (ite(c, k, x) = d) → c ∨ x = d if k is d, ¬c ∧ x = d if not, and its mirror
fn eq_conditional_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    let d = n.args[1];
    let inner = *t.node(n.args[0]);
    if inner.op != Op::Ite || !t.is_const(d) {
        return None;
    }
    let (c, a, b) = (inner.args[0], inner.args[1], inner.args[2]);
    let (condition, constant, rest) = match (t.is_const(a), t.is_const(b)) {
        (true, false) => (c, a, b),
        (false, true) => (t.not(c), b, a),
        _ => return None,
    };
    let rest = t.eq(rest, d);
    if constant == d {
        return Some(t.or(condition, rest));
    }
    let not = t.not(condition);
    Some(t.and(not, rest))
}

fn eq_table(t: &mut Terms, n: &Node) -> Option<TermId> {
    compare::lift_over_table(t, n)
}

/// (a + b = a + c) → b = c, for sums of any shape
fn eq_common_summands(t: &mut Terms, n: &Node) -> Option<TermId> {
    linear::cancel_equation(t, n.args[0], n.args[1])
}
