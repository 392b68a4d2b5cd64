//! Negation, conjunction, disjunction.

use super::{Rule, rules};
use crate::op::Op;
use crate::term::{Node, TermId, Terms};

pub(super) const NOT: &[Rule] = rules![not_not, not_comparison, not_connective_of_literals];
pub(super) const AND: &[Rule] = rules![
    and_constant,
    and_same,
    and_complement,
    and_absorbs,
    and_prunes,
    and_equalities,
    and_bounds_meet,
    and_both_orders
];
pub(super) const OR: &[Rule] =
    rules![or_constant, or_same, or_complement, or_absorbs, or_prunes, or_inequalities, or_strict_and_equal];

/// ¬¬a → a
fn not_not(t: &mut Terms, n: &Node) -> Option<TermId> {
    t.un(n.args[0], Op::Not)
}

/// ¬(a < b) → b ≤ a, and so on.
fn not_comparison(t: &mut Terms, n: &Node) -> Option<TermId> {
    let inner = *t.node(n.args[0]);
    match inner.op {
        Op::Ult => Some(t.ule(inner.args[1], inner.args[0])),
        Op::Ule => Some(t.ult(inner.args[1], inner.args[0])),
        Op::Slt => Some(t.sle(inner.args[1], inner.args[0])),
        Op::Sle => Some(t.slt(inner.args[1], inner.args[0])),
        _ => None,
    }
}

/// ¬(a ∧ b) → ¬a ∨ ¬b and its dual, where the negations cost nothing. Only then: pushed through shared terms of any
/// depth, negation could take exponential time.
fn not_connective_of_literals(t: &mut Terms, n: &Node) -> Option<TermId> {
    let inner = *t.node(n.args[0]);
    if !matches!(inner.op, Op::And | Op::Or) || !inner.args.iter().all(|a| negates_freely(t, a)) {
        return None;
    }
    let (a, b) = (t.not(inner.args[0]), t.not(inner.args[1]));
    Some(if inner.op == Op::And { t.or(a, b) } else { t.and(a, b) })
}

fn negates_freely(t: &Terms, a: TermId) -> bool {
    matches!(t.op(a), Op::Not | Op::Ult | Op::Ule | Op::Slt | Op::Sle)
}

fn and_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    match t.as_bool(n.args[1])? {
        true => Some(n.args[0]),
        false => Some(t.ff()),
    }
}

fn or_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    match t.as_bool(n.args[1])? {
        true => Some(t.tt()),
        false => Some(n.args[0]),
    }
}

fn and_same(_: &mut Terms, n: &Node) -> Option<TermId> {
    (n.args[0] == n.args[1]).then(|| n.args[0])
}

fn or_same(_: &mut Terms, n: &Node) -> Option<TermId> {
    (n.args[0] == n.args[1]).then(|| n.args[0])
}

fn and_complement(t: &mut Terms, n: &Node) -> Option<TermId> {
    t.complementary(n.args[0], n.args[1]).then(|| t.ff())
}

fn or_complement(t: &mut Terms, n: &Node) -> Option<TermId> {
    t.complementary(n.args[0], n.args[1]).then(|| t.tt())
}

/// The node with its arguments both ways round.
fn both_ways(n: &Node) -> [(TermId, TermId); 2] {
    [(n.args[0], n.args[1]), (n.args[1], n.args[0])]
}

/// a ∧ (a ∨ b) → a;  a ∧ (a ∧ b) → a ∧ b
fn and_absorbs(t: &mut Terms, n: &Node) -> Option<TermId> {
    both_ways(n).into_iter().find_map(|(a, other)| {
        let inner = *t.node(other);
        let has = (inner.op == Op::Or || inner.op == Op::And) && inner.args.iter().any(|x| x == a);
        has.then_some(if inner.op == Op::Or { a } else { other })
    })
}

/// a ∨ (a ∧ b) → a;  a ∨ (a ∨ b) → a ∨ b
fn or_absorbs(t: &mut Terms, n: &Node) -> Option<TermId> {
    both_ways(n).into_iter().find_map(|(a, other)| {
        let inner = *t.node(other);
        let has = (inner.op == Op::Or || inner.op == Op::And) && inner.args.iter().any(|x| x == a);
        has.then_some(if inner.op == Op::And { a } else { other })
    })
}

/// a ∧ (¬a ∨ b) → a ∧ b;  a ∧ (¬a ∧ b) → false
fn and_prunes(t: &mut Terms, n: &Node) -> Option<TermId> {
    both_ways(n).into_iter().find_map(|(a, other)| match t.op(other) {
        Op::Or => rest_beside_complement(t, a, other).map(|b| t.and(a, b)),
        Op::And => rest_beside_complement(t, a, other).map(|_| t.ff()),
        _ => None,
    })
}

/// a ∨ (¬a ∧ b) → a ∨ b;  a ∨ (¬a ∨ b) → true
fn or_prunes(t: &mut Terms, n: &Node) -> Option<TermId> {
    both_ways(n).into_iter().find_map(|(a, other)| match t.op(other) {
        Op::And => rest_beside_complement(t, a, other).map(|b| t.or(a, b)),
        Op::Or => rest_beside_complement(t, a, other).map(|_| t.tt()),
        _ => None,
    })
}

/// For `other` = ¬a ∘ b, the b.
fn rest_beside_complement(t: &Terms, a: TermId, other: TermId) -> Option<TermId> {
    let (x, y) = (t.arg(other, 0), t.arg(other, 1));
    if t.complementary(a, x) {
        Some(y)
    } else if t.complementary(a, y) {
        Some(x)
    } else {
        None
    }
}

/// `x = c`, as (x, c).
fn equals_const(t: &Terms, a: TermId) -> Option<(TermId, TermId)> {
    let (x, c) = t.bin(a, Op::Eq)?;
    (t.is_const(c) && !t.is_const(x)).then_some((x, c))
}

/// x = c ∧ x = d → false;  x = c ∧ x ≠ d → x = c  (c and d different constants)
fn and_equalities(t: &mut Terms, n: &Node) -> Option<TermId> {
    both_ways(n).into_iter().find_map(|(a, other)| {
        let (x, c) = equals_const(t, a)?;
        if let Some((y, d)) = equals_const(t, other) {
            return (x == y && c != d).then(|| t.ff());
        }
        let (y, d) = equals_const(t, t.un(other, Op::Not)?)?;
        (x == y && c != d).then_some(a)
    })
}

/// x ≠ c ∨ x ≠ d → true;  x ≠ c ∨ x = d → x ≠ c
fn or_inequalities(t: &mut Terms, n: &Node) -> Option<TermId> {
    both_ways(n).into_iter().find_map(|(a, other)| {
        let (x, c) = equals_const(t, t.un(a, Op::Not)?)?;
        if let Some((y, d)) = equals_const(t, other) {
            return (x == y && c != d).then_some(a);
        }
        let (y, d) = equals_const(t, t.un(other, Op::Not)?)?;
        (x == y && c != d).then(|| t.tt())
    })
}

/// Two bounds of one term by constants: the tighter one, the only value left, or a contradiction.
fn and_bounds_meet(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (a, b) = (*t.node(n.args[0]), *t.node(n.args[1]));
    if a.op != b.op || !matches!(a.op, Op::Ult | Op::Slt) {
        return None;
    }
    let w = t.width(a.args[0]);
    // Signed order is unsigned order with the top bit flipped.
    let flip = if a.op == Op::Slt { crate::sort::sign_bit(w) } else { 0 };
    let key = |t: &Terms, c: TermId| t.as_bv(c).map(|c| c ^ flip);
    let (upper_a, upper_b) = (key(t, a.args[1]), key(t, b.args[1]));
    let (lower_a, lower_b) = (key(t, a.args[0]), key(t, b.args[0]));
    match (upper_a, upper_b, lower_a, lower_b) {
        (Some(c), Some(d), _, _) if a.args[0] == b.args[0] => Some(n.args[usize::from(d < c)]),
        (_, _, Some(c), Some(d)) if a.args[1] == b.args[1] => Some(n.args[usize::from(d > c)]),
        (Some(hi), _, _, Some(lo)) if a.args[0] == b.args[1] => between(t, a.args[0], lo, hi, flip),
        (_, Some(hi), Some(lo), _) if b.args[0] == a.args[1] => between(t, b.args[0], lo, hi, flip),
        _ => None,
    }
}

/// lo < x < hi, if that is at most one value.
fn between(t: &mut Terms, x: TermId, lo: u128, hi: u128, flip: u128) -> Option<TermId> {
    if hi <= lo || hi - lo == 1 {
        return Some(t.ff());
    }
    if hi - lo == 2 {
        let only = t.bv((lo + 1) ^ flip, t.width(x));
        return Some(t.eq(x, only));
    }
    None
}

/// x ≤ y ∧ y ≤ x → x = y
fn and_both_orders(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (a, b) = (*t.node(n.args[0]), *t.node(n.args[1]));
    let crossed = a.op == b.op && matches!(a.op, Op::Ule | Op::Sle) && a.args[0] == b.args[1] && a.args[1] == b.args[0];
    crossed.then(|| t.eq(a.args[0], a.args[1]))
}

/// x < y ∨ x = y → x ≤ y
fn or_strict_and_equal(t: &mut Terms, n: &Node) -> Option<TermId> {
    both_ways(n).into_iter().find_map(|(less, equal)| {
        let (x, y) = t.bin(equal, Op::Eq)?;
        let less = *t.node(less);
        let fits = matches!(less.op, Op::Ult | Op::Slt)
            && ((less.args[0], less.args[1]) == (x, y) || (less.args[0], less.args[1]) == (y, x));
        fits.then(|| {
            if less.op == Op::Ult { t.ule(less.args[0], less.args[1]) } else { t.sle(less.args[0], less.args[1]) }
        })
    })
}
