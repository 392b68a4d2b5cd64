//! Shifts by constants, concatenation, extraction, extension.

use super::{Rule, rules};
use crate::op::Op;
use crate::term::{Node, TermId, Terms};

pub(super) const SHL: &[Rule] = rules![shift_trivial, shl_constant];
pub(super) const LSHR: &[Rule] = rules![shift_trivial, lshr_constant];
pub(super) const ASHR: &[Rule] = rules![shift_trivial, ashr_nonnegative, ashr_constant];
pub(super) const CONCAT: &[Rule] = rules![
    concat_to_the_right,
    concat_zero_above,
    concat_extension_above,
    concat_constants,
    concat_adjacent_extracts,
    concat_sign_copies,
];
pub(super) const EXTRACT: &[Rule] = rules![
    extract_all,
    extract_of_extract,
    extract_of_concat,
    extract_of_zext,
    extract_of_sext,
    extract_of_bitwise,
    extract_of_conditional,
    extract_of_sum,
];
pub(super) const ZEXT: &[Rule] = rules![zext_of_zext];
pub(super) const SEXT: &[Rule] = rules![sext_of_extension];

/// A shift by 0, or of 0.
fn shift_trivial(t: &mut Terms, n: &Node) -> Option<TermId> {
    (t.is_zero(n.args[1]) || t.is_zero(n.args[0])).then(|| n.args[0])
}

/// The amount, if it is a constant below the width but not zero; `Err` for a constant beyond it.
fn amount(t: &Terms, n: &Node) -> Option<Result<u8, ()>> {
    let c = t.as_bv(n.args[1]).filter(|c| *c != 0)?;
    Some(if c < u128::from(n.sort.width()) { Ok(c as u8) } else { Err(()) })
}

/// x << c → the low bits ∘ 0
fn shl_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    let w = n.sort.width();
    let Ok(by) = amount(t, n)? else { return Some(t.bv(0, w)) };
    let (low, zeros) = (t.extract(n.args[0], w - by - 1, 0), t.bv(0, by));
    Some(t.concat(low, zeros))
}

/// x >> c → zext (the high bits)
fn lshr_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    let w = n.sort.width();
    let Ok(by) = amount(t, n)? else { return Some(t.bv(0, w)) };
    let high = t.extract(n.args[0], w - 1, by);
    Some(t.zext(high, w))
}

/// x >> c → sext (the high bits), arithmetically; beyond the width copies of the sign are left
fn ashr_constant(t: &mut Terms, n: &Node) -> Option<TermId> {
    let w = n.sort.width();
    let by = amount(t, n)?.unwrap_or(w - 1);
    let high = t.extract(n.args[0], w - 1, by);
    Some(t.sext(high, w))
}

/// An arithmetic shift of what is not negative is a logical one.
fn ashr_nonnegative(t: &mut Terms, n: &Node) -> Option<TermId> {
    (t.op(n.args[0]) == Op::ZExt).then(|| t.lshr(n.args[0], n.args[1]))
}

/// (a ∘ b) ∘ c → a ∘ (b ∘ c)
fn concat_to_the_right(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (a, b) = t.bin(n.args[0], Op::Concat)?;
    let low = t.concat(b, n.args[1]);
    Some(t.concat(a, low))
}

/// 0 ∘ x → zext x
fn concat_zero_above(t: &mut Terms, n: &Node) -> Option<TermId> {
    t.is_zero(n.args[0]).then(|| t.zext(n.args[1], n.sort.width()))
}

/// zext a ∘ b → zext (a ∘ b)
fn concat_extension_above(t: &mut Terms, n: &Node) -> Option<TermId> {
    let a = t.un(n.args[0], Op::ZExt)?;
    let joined = t.concat(a, n.args[1]);
    Some(t.zext(joined, n.sort.width()))
}

/// c ∘ (d ∘ x) → (c ∘ d) ∘ x;  c ∘ zext x → (c ∘ 0) ∘ x
fn concat_constants(t: &mut Terms, n: &Node) -> Option<TermId> {
    t.as_bv(n.args[0])?;
    let (middle, x) = match t.bin(n.args[1], Op::Concat) {
        Some((d, x)) if t.is_const(d) => (d, x),
        Some(_) => return None,
        None => {
            let x = t.un(n.args[1], Op::ZExt)?;
            (t.bv(0, t.width(n.args[1]) - t.width(x)), x)
        }
    };
    let constant = t.concat(n.args[0], middle);
    Some(t.concat(constant, x))
}

/// The source and range of an extraction.
fn as_extract(t: &Terms, a: TermId) -> Option<(TermId, u8, u8)> {
    match t.op(a) {
        Op::Extract { hi, lo } => Some((t.arg(a, 0), hi, lo)),
        _ => None,
    }
}

/// x[a:b+1] ∘ x[b:c] → x[a:c], also at the head of a longer concatenation
fn concat_adjacent_extracts(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (x, hi, cut) = as_extract(t, n.args[0])?;
    let joins = |t: &Terms, low: TermId| as_extract(t, low).filter(|(y, h, _)| *y == x && h + 1 == cut);
    if let Some((_, _, lo)) = joins(t, n.args[1]) {
        return Some(t.extract(x, hi, lo));
    }
    let (next, rest) = t.bin(n.args[1], Op::Concat)?;
    let (_, _, lo) = joins(t, next)?;
    let joined = t.extract(x, hi, lo);
    Some(t.concat(joined, rest))
}

/// The sign of x, repeated, above x → sext x: sext(s) ∘ x → sext x where s is the top bit of x
fn concat_sign_copies(t: &mut Terms, n: &Node) -> Option<TermId> {
    let x = n.args[1];
    let sign = t.un(n.args[0], Op::SExt).unwrap_or(n.args[0]);
    let (source, hi, lo) = as_extract(t, sign)?;
    (source == x && hi == lo && hi == t.width(x) - 1).then(|| t.sext(x, n.sort.width()))
}

fn range(n: &Node) -> (u8, u8) {
    match n.op {
        Op::Extract { hi, lo } => (hi, lo),
        _ => unreachable!("the rule is for extractions only"),
    }
}

fn extract_all(t: &mut Terms, n: &Node) -> Option<TermId> {
    (t.sort(n.args[0]) == n.sort).then(|| n.args[0])
}

/// x[h:l][a:b] → x[a+l:b+l]
fn extract_of_extract(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (hi, lo) = range(n);
    let (x, _, base) = as_extract(t, n.args[0])?;
    Some(t.extract(x, hi + base, lo + base))
}

/// (a ∘ b)[h:l] → the part of a, the part of b, or both
fn extract_of_concat(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (hi, lo) = range(n);
    let (a, b) = t.bin(n.args[0], Op::Concat)?;
    let cut = t.width(b);
    if lo >= cut {
        return Some(t.extract(a, hi - cut, lo - cut));
    }
    if hi < cut {
        return Some(t.extract(b, hi, lo));
    }
    let (high, low) = (t.extract(a, hi - cut, 0), t.extract(b, cut - 1, lo));
    Some(t.concat(high, low))
}

/// (zext x)[h:l] → a part of x, zeros, or a part of x with zeros above
fn extract_of_zext(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (hi, lo) = range(n);
    let x = t.un(n.args[0], Op::ZExt)?;
    let narrow = t.width(x);
    if lo >= narrow {
        return Some(t.bv(0, n.sort.width()));
    }
    let kept = t.extract(x, hi.min(narrow - 1), lo);
    Some(t.zext(kept, n.sort.width()))
}

/// (sext x)[h:l] → a part of x, or its top part extended; only copies of the sign are the sign bit extended
fn extract_of_sext(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (hi, lo) = range(n);
    let x = t.un(n.args[0], Op::SExt)?;
    let narrow = t.width(x);
    let kept = t.extract(x, hi.min(narrow - 1), lo.min(narrow - 1));
    Some(t.sext(kept, n.sort.width()))
}

/// Whether extracting bits `hi:lo` from the term certainly makes it smaller, so that pushing an extraction through an
/// operation pays.
fn extracts_well(t: &Terms, a: TermId, hi: u8, lo: u8, depth: u8) -> bool {
    match t.op(a) {
        Op::BvConst(_) | Op::Concat | Op::Extract { .. } => true,
        Op::ZExt => true,
        Op::SExt => hi < t.width(t.arg(a, 0)) || lo == 0,
        Op::Add | Op::Sub | Op::Mul if lo == 0 && depth > 0 => {
            t.node(a).args.iter().all(|x| extracts_well(t, x, hi, lo, depth - 1))
        }
        Op::BvNeg if lo == 0 && depth > 0 => extracts_well(t, t.arg(a, 0), hi, lo, depth - 1),
        _ => false,
    }
}

/// (x & y)[h:l] → x[h:l] & y[h:l], and so on, where one side becomes simpler
fn extract_of_bitwise(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (hi, lo) = range(n);
    let inner = *t.node(n.args[0]);
    let binary = matches!(inner.op, Op::BvAnd | Op::BvOr | Op::BvXor);
    let pays = (binary || inner.op == Op::BvNot) && inner.args.iter().any(|a| extracts_well(t, a, hi, lo, 0));
    if !pays {
        return None;
    }
    let x = t.extract(inner.args[0], hi, lo);
    if inner.op == Op::BvNot {
        return Some(t.bv_not(x));
    }
    let y = t.extract(inner.args[1], hi, lo);
    Some(t.mk(inner.op, &[x, y], n.sort))
}

/// ite(c, k, l)[h:l] → ite(c, k[h:l], l[h:l]) for constants
fn extract_of_conditional(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (hi, lo) = range(n);
    let inner = *t.node(n.args[0]);
    if inner.op != Op::Ite || !t.is_const(inner.args[1]) || !t.is_const(inner.args[2]) {
        return None;
    }
    let (a, b) = (t.extract(inner.args[1], hi, lo), t.extract(inner.args[2], hi, lo));
    Some(t.ite(inner.args[0], a, b))
}

/// (x + y)[h:0] → x[h:0] + y[h:0], and so for − and ·, where both sides become simpler: what C's promotions leave behind
fn extract_of_sum(t: &mut Terms, n: &Node) -> Option<TermId> {
    let (hi, lo) = range(n);
    let inner = *t.node(n.args[0]);
    let fits = lo == 0
        && matches!(inner.op, Op::Add | Op::Sub | Op::Mul | Op::BvNeg)
        && inner.args.iter().all(|a| extracts_well(t, a, hi, lo, 3));
    if !fits {
        return None;
    }
    let args: smallvec::SmallVec<[TermId; 3]> = inner.args.iter().map(|a| t.extract(a, hi, 0)).collect();
    Some(t.mk(inner.op, &args, n.sort))
}

fn zext_of_zext(t: &mut Terms, n: &Node) -> Option<TermId> {
    let x = t.un(n.args[0], Op::ZExt)?;
    Some(t.zext(x, n.sort.width()))
}

/// sext (sext x) → sext x;  sext (zext x) → zext x
fn sext_of_extension(t: &mut Terms, n: &Node) -> Option<TermId> {
    if let Some(x) = t.un(n.args[0], Op::SExt) {
        return Some(t.sext(x, n.sort.width()));
    }
    let x = t.un(n.args[0], Op::ZExt)?;
    Some(t.zext(x, n.sort.width()))
}
