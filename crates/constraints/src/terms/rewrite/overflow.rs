//! Overflow predicates: gone where the operands are narrow, bounds where one is a constant.

use super::{Rule, rules};
use crate::op::Op;
use crate::sort::{mask, sign_bit, to_signed};
use crate::term::{Node, TermId, Terms};

pub(super) const SIGNED: &[Rule] = rules![signed_never_overflows, signed_overflow_by_constant];
pub(super) const UNSIGNED: &[Rule] = rules![borrow_is_less, unsigned_never_overflows, unsigned_overflow_by_constant];

fn signed_never_overflows(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (a, b) = (u32::from(t.signed_bits(n.args[0])), u32::from(t.signed_bits(n.args[1])));
    let needed = if n.op == Op::SMulO { a + b } else { a.max(b) + 1 };
    (needed <= u32::from(t.width(n.args[0])) || t.is_zero(n.args[1])).then(|| t.ff())
}

fn unsigned_never_overflows(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (a, b) = (u32::from(t.unsigned_bits(n.args[0])), u32::from(t.unsigned_bits(n.args[1])));
    if n.op == Op::USubO {
        return None;
    }
    let needed = if n.op == Op::UMulO { a + b } else { a.max(b) + 1 };
    (needed <= u32::from(t.width(n.args[0])) || t.is_zero(n.args[1])).then(|| t.ff())
}

/// Unsigned subtraction overflows exactly where the first is less.
fn borrow_is_less(t: &mut Terms, n: &Node) -> Option<TermId> {
    (n.op == Op::USubO).then(|| t.ult(n.args[0], n.args[1]))
}

/// x + c overflows iff x > max − c, or for negative c iff x < min − c; the same for − and ·
fn signed_overflow_by_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    let w = t.width(n.args[0]);
    let c = to_signed(t.as_bv(n.args[1])?, w);
    let (min, max) = (to_signed(sign_bit(w), w), (mask(w) >> 1) as i128);
    let x = n.args[0];
    let (above, below) = match n.op {
        Op::SAddO if c > 0 => (Some(max - c), None),
        Op::SAddO if c < 0 => (None, Some(min - c)),
        Op::SSubO if c > 0 => (None, Some(min + c)),
        Op::SSubO if c < 0 => (Some(max + c), None),
        // Of the widths where −1 and 1 are the same pattern only the negative reading is meant.
        Op::SMulO if c > 0 => (Some(max / c), Some(min / c)),
        Op::SMulO if c == -1 => (None, Some(min + 1)),
        Op::SMulO if c < -1 => (Some(min / c), Some(max / c)),
        _ => return None,
    };
    let bound = |t: &mut Terms, value: i128| t.bv(value as u128, w);
    let above = above.map(|v| bound(t, v)).map(|v| t.slt(v, x));
    let below = below.map(|v| bound(t, v)).map(|v| t.slt(x, v));
    Some(t.or_all(above.into_iter().chain(below)))
}

/// x + c overflows iff x > max − c;  x · c iff x > max / c
fn unsigned_overflow_by_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    let w = t.width(n.args[0]);
    let c = t.as_bv(n.args[1])?;
    let bound = match n.op {
        Op::UAddO => mask(w) - c,
        Op::UMulO => mask(w).checked_div(c)?,
        _ => return None,
    };
    let bound = t.bv(bound, w);
    Some(t.ult(bound, n.args[0]))
}
