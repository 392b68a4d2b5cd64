//! Order comparisons. Signed order is unsigned order with the top bit flipped, so most rules serve both: `flip` is that
//! bit or zero, and a constant's rank is its value with `flip` applied.

use rustc_hash::FxHashMap;

use super::{Rule, rules};
use crate::op::Op;
use crate::sort::{Sort, mask, sign_bit};
use crate::term::{Node, TermId, Terms};

pub(super) const ULT: &[Rule] = rules![
    less_same,
    less_extreme,
    less_zext_constant,
    less_extensions,
    less_constant_low_bits,
    less_conditional_constant,
    less_table,
];
pub(super) const SLT: &[Rule] = rules![
    less_same,
    less_extreme,
    signed_of_nonnegative,
    less_zext_negative,
    less_sext_constant,
    less_extensions,
    less_conditional_constant,
    less_table,
];
pub(super) const ULE: &[Rule] = rules![at_most_same, at_most_constant, less_extensions];
pub(super) const SLE: &[Rule] = rules![at_most_same, at_most_constant, signed_of_nonnegative, less_extensions];

fn is_signed(op: Op) -> bool {
    matches!(op, Op::Slt | Op::Sle)
}

fn flip(t: &Terms, n: &Node) -> u128 {
    if is_signed(n.op) { sign_bit(t.width(n.args[0])) } else { 0 }
}

fn rank(t: &Terms, n: &Node, arg: usize) -> Option<u128> {
    t.as_bv(n.args[arg]).map(|c| c ^ flip(t, n))
}

fn less_same(t: &mut Terms, n: &Node) -> Option<TermId> {
    (n.args[0] == n.args[1]).then(|| t.ff())
}

fn at_most_same(t: &mut Terms, n: &Node) -> Option<TermId> {
    (n.args[0] == n.args[1]).then(|| t.tt())
}

/// x < min → false;  x < min + 1 → x = min;  x < max → x ≠ max, and from the other side
fn less_extreme(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (w, flip) = (t.width(n.args[0]), flip(t, n));
    let all = mask(w);
    if let Some(c) = rank(t, n, 1) {
        let x = n.args[0];
        return match c {
            0 => Some(t.ff()),
            1 => {
                let min = t.bv(flip, w);
                Some(t.eq(x, min))
            }
            c if c == all => Some(t.ne(x, n.args[1])),
            _ => None,
        };
    }
    let c = rank(t, n, 0)?;
    let x = n.args[1];
    match all - c {
        0 => Some(t.ff()),
        1 => {
            let max = t.bv(all ^ flip, w);
            Some(t.eq(x, max))
        }
        d if d == all => Some(t.ne(x, n.args[0])),
        _ => None,
    }
}

/// x ≤ c → x < c + 1;  c ≤ x → c − 1 < x
fn at_most_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (w, flip) = (t.width(n.args[0]), flip(t, n));
    let strict = if is_signed(n.op) { Op::Slt } else { Op::Ult };
    if let Some(c) = rank(t, n, 1) {
        if c == mask(w) {
            return Some(t.tt());
        }
        let bound = t.bv((c + 1) ^ flip, w);
        return Some(t.mk(strict, &[n.args[0], bound], Sort::Bool));
    }
    let c = rank(t, n, 0)?;
    if c == 0 {
        return Some(t.tt());
    }
    let bound = t.bv((c - 1) ^ flip, w);
    Some(t.mk(strict, &[bound, n.args[1]], Sort::Bool))
}

/// zext x < c → x < c in the narrow width, or true; c < zext x → c < x, or false
fn less_zext_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    if let (Some(x), Some(c)) = (t.un(n.args[0], Op::ZExt), t.as_bv(n.args[1])) {
        let narrow = t.width(x);
        if c > mask(narrow) {
            return Some(t.tt());
        }
        let c = t.bv(c, narrow);
        return Some(t.ult(x, c));
    }
    let (c, x) = (t.as_bv(n.args[0])?, t.un(n.args[1], Op::ZExt)?);
    let narrow = t.width(x);
    if c >= mask(narrow) {
        return Some(t.ff());
    }
    let c = t.bv(c, narrow);
    Some(t.ult(c, x))
}

/// Signed comparisons of numbers that are not negative are unsigned ones.
fn signed_of_nonnegative(t: &mut Terms, n: &Node) -> Option<TermId> {
    let nonnegative = |a: TermId| t.unsigned_bits(a) < t.width(a);
    if !n.args.iter().all(nonnegative) {
        return None;
    }
    Some(if n.op == Op::Slt { t.ult(n.args[0], n.args[1]) } else { t.ule(n.args[0], n.args[1]) })
}

/// zext x < negative → false;  negative < zext x → true
fn less_zext_negative(t: &mut Terms, n: &Node) -> Option<TermId> {
    let negative = |a: TermId| t.as_bv(a).is_some_and(|c| c & sign_bit(t.width(a)) != 0);
    if t.op(n.args[0]) == Op::ZExt && negative(n.args[1]) {
        return Some(t.ff());
    }
    (negative(n.args[0]) && t.op(n.args[1]) == Op::ZExt).then(|| t.tt())
}

/// sext x < c → x < c in the narrow width, or true or false where c is outside it; and from the other side
fn less_sext_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, c, constant_first) = match (t.un(n.args[0], Op::SExt), t.un(n.args[1], Op::SExt)) {
        (Some(x), None) => (x, n.args[1], false),
        (None, Some(x)) => (x, n.args[0], true),
        _ => return None,
    };
    let value = t.as_bv(c)?;
    let narrow = t.width(x);
    if t.signed_bits(c) > narrow {
        let negative = value & sign_bit(t.width(c)) != 0;
        return Some(t.bool(negative == constant_first));
    }
    let c = t.bv(value, narrow);
    Some(if constant_first { t.slt(c, x) } else { t.slt(x, c) })
}

/// ext x < ext y → x < y at the wider of the two widths. Sign extension keeps both orders.
fn less_extensions(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (a, b) = (*t.node(n.args[0]), *t.node(n.args[1]));
    if a.op != b.op || !(a.op == Op::SExt || a.op == Op::ZExt && !is_signed(n.op)) {
        return None;
    }
    let (x, y) = (a.args[0], b.args[0]);
    let width = t.width(x).max(t.width(y));
    let (x, y) =
        if a.op == Op::ZExt { (t.zext(x, width), t.zext(y, width)) } else { (t.sext(x, width), t.sext(y, width)) };
    Some(t.mk(n.op, &[x, y], Sort::Bool))
}

/// a ∘ k < c → a < ⌈(c − k) / 2^n⌉, for a constant k of n bits; and from the other side
fn less_constant_low_bits(t: &mut Terms, n: &Node) -> Option<TermId> {
    if let (Some((a, k)), Some(c)) = (t.with_const(n.args[0], Op::Concat), t.as_bv(n.args[1])) {
        let (low, high) = (t.width(n.args[0]) - t.width(a), t.width(a));
        if c <= k {
            return Some(t.ff());
        }
        let bound = ((c - k - 1) >> low) + 1;
        if bound > mask(high) {
            return Some(t.tt());
        }
        let bound = t.bv(bound, high);
        return Some(t.ult(a, bound));
    }
    let (c, (a, k)) = (t.as_bv(n.args[0])?, t.with_const(n.args[1], Op::Concat)?);
    let (low, high) = (t.width(n.args[1]) - t.width(a), t.width(a));
    if c < k {
        return Some(t.tt());
    }
    let bound = t.bv((c - k) >> low, high);
    Some(t.ult(bound, a))
}

/// ite(d, k, x) < c → d ∨ x < c if k < c, ¬d ∧ x < c if not; its mirror; and from the other side
fn less_conditional_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    let side = if t.is_const(n.args[1]) { 0 } else { 1 };
    if !t.is_const(n.args[1 - side]) {
        return None;
    }
    let inner = *t.node(n.args[side]);
    if inner.op != Op::Ite || t.is_const(inner.args[1]) == t.is_const(inner.args[2]) {
        return None;
    }
    let branch = |t: &mut Terms, x: TermId| {
        let args = if side == 0 { [x, n.args[1]] } else { [n.args[0], x] };
        t.mk(n.op, &args, Sort::Bool)
    };
    let (a, b) = (branch(t, inner.args[1]), branch(t, inner.args[2]));
    Some(t.ite(inner.args[0], a, b))
}

fn less_table(t: &mut Terms, n: &Node) -> Option<TermId> {
    lift_over_table(t, n)
}

/// Deeper conditionals than this are left alone, as the recursion below is as deep.
const MAX_TABLE_DEPTH: u8 = 32; // not tuning: the stack

/// The comparison of a table, a nest of conditionals over constants, with a constant: at every leaf it is decided, and
/// what is left is the condition under which it holds.
pub(super) fn lift_over_table(t: &mut Terms, n: &Node) -> Option<TermId> {
    let side = if t.is_const(n.args[1]) { 0 } else { 1 };
    if !t.is_const(n.args[1 - side]) {
        return None;
    }
    let depth = t.traits(n.args[side]).table_depth;
    if depth == 0 || depth > MAX_TABLE_DEPTH {
        return None;
    }
    let mut memo = FxHashMap::default();
    Some(lift(t, n, side, n.args[side], &mut memo))
}

fn lift(t: &mut Terms, n: &Node, side: usize, at: TermId, memo: &mut FxHashMap<TermId, TermId>) -> TermId {
    if let Some(&done) = memo.get(&at) {
        return done;
    }
    let node = *t.node(at);
    let result = if node.op == Op::Ite {
        let a = lift(t, n, side, node.args[1], memo);
        let b = lift(t, n, side, node.args[2], memo);
        t.ite(node.args[0], a, b)
    } else {
        let args = if side == 0 { [at, n.args[1]] } else { [n.args[0], at] };
        t.mk(n.op, &args, Sort::Bool)
    };
    memo.insert(at, result);
    result
}
