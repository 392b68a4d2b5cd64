//! Bitwise operations.

use super::{Rule, rules};
use crate::op::Op;
use crate::sort::mask;
use crate::term::{Node, TermId, Terms};

pub(super) const NOT: &[Rule] = rules![bvnot_twice, bvnot_of_condition, bvnot_of_xor_constant];
pub(super) const AND: &[Rule] = rules![
    bvand_trivial,
    bvand_same,
    bvand_complement,
    bvand_constants,
    bvand_absorbs,
    bvand_extensions,
    bvand_contiguous_mask
];
pub(super) const OR: &[Rule] =
    rules![bvor_trivial, bvor_same, bvor_complement, bvor_constants, bvor_absorbs, bvor_extensions, bvor_disjoint_bits];
pub(super) const XOR: &[Rule] =
    rules![bvxor_trivial, bvxor_same, bvxor_constants, bvxor_complements, bvxor_cancels, bvxor_extensions,];

fn bvnot_twice(t: &mut Terms, n: &Node) -> Option<TermId> {
    t.un(n.args[0], Op::BvNot)
}

/// ~bit(c) → bit(¬c)
fn bvnot_of_condition(t: &mut Terms, n: &Node) -> Option<TermId> {
    let c = t.un(n.args[0], Op::BoolToBv)?;
    let not = t.not(c);
    Some(t.bool_to_bv(not))
}

/// ~(x ^ c) → x ^ ~c
fn bvnot_of_xor_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, c) = t.with_const(n.args[0], Op::BvXor)?;
    let c = t.bv(!c, n.sort.width());
    Some(t.bv_xor(x, c))
}

/// x & 0 → 0;  x & −1 → x
fn bvand_trivial(t: &mut Terms, n: &Node) -> Option<TermId> {
    if t.is_zero(n.args[1]) {
        return Some(n.args[1]);
    }
    t.is_ones(n.args[1]).then(|| n.args[0])
}

/// x | −1 → −1;  x | 0 → x
fn bvor_trivial(t: &mut Terms, n: &Node) -> Option<TermId> {
    if t.is_ones(n.args[1]) {
        return Some(n.args[1]);
    }
    t.is_zero(n.args[1]).then(|| n.args[0])
}

/// x ^ 0 → x;  x ^ −1 → ~x
fn bvxor_trivial(t: &mut Terms, n: &Node) -> Option<TermId> {
    if t.is_ones(n.args[1]) {
        return Some(t.bv_not(n.args[0]));
    }
    t.is_zero(n.args[1]).then(|| n.args[0])
}

fn bvand_same(_: &mut Terms, n: &Node) -> Option<TermId> {
    (n.args[0] == n.args[1]).then(|| n.args[0])
}

fn bvor_same(_: &mut Terms, n: &Node) -> Option<TermId> {
    (n.args[0] == n.args[1]).then(|| n.args[0])
}

fn bvxor_same(t: &mut Terms, n: &Node) -> Option<TermId> {
    (n.args[0] == n.args[1]).then(|| t.bv(0, n.sort.width()))
}

fn complements(t: &Terms, n: &Node) -> bool {
    t.un(n.args[0], Op::BvNot) == Some(n.args[1]) || t.un(n.args[1], Op::BvNot) == Some(n.args[0])
}

fn bvand_complement(t: &mut Terms, n: &Node) -> Option<TermId> {
    complements(t, n).then(|| t.bv(0, n.sort.width()))
}

fn bvor_complement(t: &mut Terms, n: &Node) -> Option<TermId> {
    complements(t, n).then(|| t.ones(n.sort.width()))
}

/// The argument and the two constants of (x ∘ c) ∘ d.
fn constant_chain(t: &Terms, n: &Node) -> Option<(TermId, u128, u128)> {
    let d = t.as_bv(n.args[1])?;
    let (x, c) = t.with_const(n.args[0], n.op)?;
    Some((x, c, d))
}

fn bvand_constants(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, c, d) = constant_chain(t, n)?;
    let c = t.bv(c & d, n.sort.width());
    Some(t.bv_and(x, c))
}

fn bvor_constants(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, c, d) = constant_chain(t, n)?;
    let c = t.bv(c | d, n.sort.width());
    Some(t.bv_or(x, c))
}

fn bvxor_constants(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, c, d) = constant_chain(t, n)?;
    let c = t.bv(c ^ d, n.sort.width());
    Some(t.bv_xor(x, c))
}

/// For (x, x ∘ y) in either order: x and x ∘ y.
fn absorbing(t: &Terms, n: &Node, op: Op) -> Option<(TermId, TermId)> {
    let contains = |x: TermId, other: TermId| t.op(other) == op && t.node(other).args.iter().any(|a| a == x);
    let (a, b) = (n.args[0], n.args[1]);
    if contains(a, b) {
        Some((a, b))
    } else if contains(b, a) {
        Some((b, a))
    } else {
        None
    }
}

/// x & (x | y) → x;  x & (x & y) → x & y
fn bvand_absorbs(t: &mut Terms, n: &Node) -> Option<TermId> {
    absorbing(t, n, Op::BvOr).map(|(x, _)| x).or_else(|| absorbing(t, n, Op::BvAnd).map(|(_, both)| both))
}

/// x | (x & y) → x;  x | (x | y) → x | y
fn bvor_absorbs(t: &mut Terms, n: &Node) -> Option<TermId> {
    absorbing(t, n, Op::BvAnd).map(|(x, _)| x).or_else(|| absorbing(t, n, Op::BvOr).map(|(_, both)| both))
}

/// x ^ (x ^ y) → y
fn bvxor_cancels(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, both) = absorbing(t, n, Op::BvXor)?;
    let (a, b) = t.bin(both, Op::BvXor)?;
    Some(if a == x { b } else { a })
}

/// ~x ^ y → ~(x ^ y), so that negations meet outside
fn bvxor_complements(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, y) = match (t.un(n.args[0], Op::BvNot), t.un(n.args[1], Op::BvNot)) {
        (Some(x), _) => (x, n.args[1]),
        (None, Some(y)) => (n.args[0], y),
        (None, None) => return None,
    };
    let differ = t.bv_xor(x, y);
    Some(t.bv_not(differ))
}

/// The narrow arguments of zext x ∘ zext y or zext x ∘ c, if the upper bits are zero on both sides.
fn narrow_args(t: &mut Terms, n: &Node) -> Option<(TermId, TermId)> {
    let x = t.un(n.args[0], Op::ZExt)?;
    let narrow = t.width(x);
    let y = match t.as_bv(n.args[1]) {
        Some(c) if n.op == Op::BvAnd || c <= mask(narrow) => t.bv(c, narrow),
        Some(_) => return None,
        None => t.un(n.args[1], Op::ZExt).filter(|y| t.width(*y) == narrow)?,
    };
    Some((x, y))
}

/// zext x & zext y → zext (x & y), also with a constant
fn bvand_extensions(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, y) = narrow_args(t, n)?;
    let both = t.bv_and(x, y);
    Some(t.zext(both, n.sort.width()))
}

fn bvor_extensions(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, y) = narrow_args(t, n)?;
    let any = t.bv_or(x, y);
    Some(t.zext(any, n.sort.width()))
}

fn bvxor_extensions(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, y) = narrow_args(t, n)?;
    let differ = t.bv_xor(x, y);
    Some(t.zext(differ, n.sort.width()))
}

/// x & 0…01…10…0 → 0 ∘ the bits ∘ 0
fn bvand_contiguous_mask(t: &mut Terms, n: &Node) -> Option<TermId> {
    let c = t.as_bv(n.args[1]).filter(|c| *c != 0)?;
    let lo = c.trailing_zeros() as u8;
    let run = (c >> lo).trailing_ones() as u8;
    if c >> lo != mask(run) {
        return None;
    }
    let w = n.sort.width();
    let kept = t.extract(n.args[0], lo + run - 1, lo);
    let shifted = if lo == 0 {
        kept
    } else {
        let zeros = t.bv(0, lo);
        t.concat(kept, zeros)
    };
    Some(t.zext(shifted, w))
}

/// (x ∘ 0) | zext y → x ∘ y where y fits into the zeros
fn bvor_disjoint_bits(t: &mut Terms, n: &Node) -> Option<TermId> {
    join_disjoint(t, n.args[0], n.args[1])
}

/// The concatenation of the upper bits of one and the lower bits of the other, where the rest is zero in both.
pub(super) fn join_disjoint(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (high, low) in [(a, b), (b, a)] {
        let zeros = low_zeros(t, high);
        let w = t.width(high);
        if zeros > 0 && zeros < w && t.unsigned_bits(low) <= zeros {
            let (high, low) = (t.extract(high, w - 1, zeros), t.extract(low, zeros - 1, 0));
            return Some(t.concat(high, low));
        }
    }
    None
}

/// How many of the lowest bits are zeros of the term's shape.
fn low_zeros(t: &Terms, a: TermId) -> u8 {
    match t.op(a) {
        Op::BvConst(id) => (t.const_value(id).trailing_zeros() as u8).min(t.width(a)),
        Op::Concat => {
            let low = t.arg(a, 1);
            low_zeros(t, low)
        }
        Op::ZExt => {
            let inner = t.arg(a, 0);
            let zeros = low_zeros(t, inner);
            if zeros < t.width(inner) { zeros } else { 0 }
        }
        _ => 0,
    }
}
