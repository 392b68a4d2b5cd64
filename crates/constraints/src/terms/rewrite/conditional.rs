//! Conditionals, and the passage between Booleans and bits.

use super::{Rule, rules};
use crate::op::Op;
use crate::sort::Sort;
use crate::term::{Node, TermId, Terms};

pub(super) const ITE: &[Rule] = rules![
    ite_constant_condition,
    ite_same_branches,
    ite_negated_condition,
    ite_of_truth_values,
    ite_of_complements,
    ite_of_bits,
    ite_condition_is_branch,
    ite_on_equality,
    ite_nested_same_condition,
    ite_shared_leaf,
];
pub(super) const BOOL_TO_BV: &[Rule] = rules![bit_of_bit_condition, bit_of_negated_bit_condition];

fn ite_constant_condition(t: &mut Terms, n: &Node) -> Option<TermId> {
    Some(if t.as_bool(n.args[0])? { n.args[1] } else { n.args[2] })
}

fn ite_same_branches(_: &mut Terms, n: &Node) -> Option<TermId> {
    (n.args[1] == n.args[2]).then(|| n.args[1])
}

/// ite(¬c, a, b) → ite(c, b, a)
fn ite_negated_condition(t: &mut Terms, n: &Node) -> Option<TermId> {
    let c = t.un(n.args[0], Op::Not)?;
    Some(t.ite(c, n.args[2], n.args[1]))
}

/// ite(c, true, b) → c ∨ b, and so on.
fn ite_of_truth_values(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (c, a, b) = (n.args[0], n.args[1], n.args[2]);
    match (t.as_bool(a), t.as_bool(b)) {
        (Some(true), _) => Some(t.or(c, b)),
        (_, Some(false)) => Some(t.and(c, a)),
        (Some(false), _) => {
            let not_c = t.not(c);
            Some(t.and(not_c, b))
        }
        (_, Some(true)) => {
            let not_c = t.not(c);
            Some(t.or(not_c, a))
        }
        _ => None,
    }
}

/// ite(c, a, ¬a) → c = a
fn ite_of_complements(t: &mut Terms, n: &Node) -> Option<TermId> {
    (n.sort == Sort::Bool && t.complementary(n.args[1], n.args[2])).then(|| t.eq(n.args[0], n.args[1]))
}

/// ite(c, 1, 0) → the bit of c, for one bit.
fn ite_of_bits(t: &mut Terms, n: &Node) -> Option<TermId> {
    if n.sort != Sort::Bv(1) {
        return None;
    }
    match (t.as_bv(n.args[1])?, t.as_bv(n.args[2])?) {
        (1, 0) => Some(t.bool_to_bv(n.args[0])),
        (0, 1) => {
            let not_c = t.not(n.args[0]);
            Some(t.bool_to_bv(not_c))
        }
        _ => None,
    }
}

/// ite(c, c, b) → c ∨ b;  ite(c, a, c) → c ∧ a
fn ite_condition_is_branch(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (c, a, b) = (n.args[0], n.args[1], n.args[2]);
    if a == c {
        Some(t.or(c, b))
    } else if b == c {
        Some(t.and(c, a))
    } else {
        None
    }
}

/// ite(x = y, x, y) → y. (Identity, so for floats too.)
fn ite_on_equality(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, y) = t.bin(n.args[0], Op::Eq)?;
    let branches = (n.args[1], n.args[2]);
    (branches == (x, y) || branches == (y, x)).then_some(n.args[2])
}

/// ite(c, ite(c, x, y), z) → ite(c, x, z) and its mirror.
fn ite_nested_same_condition(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (c, a, b) = (n.args[0], n.args[1], n.args[2]);
    let decided = |t: &Terms, branch: TermId, holds: bool| {
        let inner = t.node(branch);
        if inner.op != Op::Ite {
            return None;
        }
        let same = inner.args[0] == c;
        let opposite = t.complementary(inner.args[0], c);
        (same || opposite).then(|| inner.args[if same == holds { 1 } else { 2 }])
    };
    let new_a = decided(t, a, true);
    let new_b = decided(t, b, false);
    if new_a.is_none() && new_b.is_none() {
        return None;
    }
    Some(t.ite(c, new_a.unwrap_or(a), new_b.unwrap_or(b)))
}

/// ite(c, x, ite(d, x, z)) → ite(c ∨ d, x, z);  ite(c, ite(d, x, y), y) → ite(c ∧ d, x, y)
fn ite_shared_leaf(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (c, a, b) = (n.args[0], n.args[1], n.args[2]);
    let inner_b = *t.node(b);
    if inner_b.op == Op::Ite && inner_b.args[1] == a {
        let either = t.or(c, inner_b.args[0]);
        return Some(t.ite(either, a, inner_b.args[2]));
    }
    let inner_a = *t.node(a);
    if inner_a.op == Op::Ite && inner_a.args[2] == b {
        let both = t.and(c, inner_a.args[0]);
        return Some(t.ite(both, inner_a.args[1], b));
    }
    None
}

/// bit(x = 1) → x
fn bit_of_bit_condition(t: &mut Terms, n: &Node) -> Option<TermId> {
    bit_condition(t, n.args[0])
}

/// bit(¬(x = 1)) → ~x
fn bit_of_negated_bit_condition(t: &mut Terms, n: &Node) -> Option<TermId> {
    let x = t.un(n.args[0], Op::Not).and_then(|c| bit_condition(t, c))?;
    Some(t.bv_not(x))
}

/// The x of `x = 1` for a single bit x.
fn bit_condition(t: &Terms, c: TermId) -> Option<TermId> {
    let (x, one) = t.bin(c, Op::Eq)?;
    (t.sort(x) == Sort::Bv(1) && t.as_bv(one) == Some(1)).then_some(x)
}
