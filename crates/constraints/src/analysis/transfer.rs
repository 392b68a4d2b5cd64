//! What an operation makes of ranges.

use super::domain::Range;
use crate::op::Op;
use crate::sort::{Sort, mask, to_signed};

/// The range of `op` on arguments in the ranges given; `None` for an argument that has none (floats and arrays).
/// A superset of what is possible.
pub(super) fn transfer(op: Op, sort: Sort, args: &[Option<Range>]) -> Range {
    let width = sort.width();
    // Wrong only to be called for a sort without a width.
    let top = Range::top(width);
    let all: Option<smallvec::SmallVec<[Range; 3]>> = args.iter().copied().collect();
    let Some(all) = all else { return top };
    let result = match (op, all.as_slice()) {
        (_, [a]) => unary(op, width, a),
        (_, [a, b]) => binary(op, width, a, b),
        (Op::Ite, [c, a, b]) => Some(match c.as_bool() {
            Some(true) => *a,
            Some(false) => *b,
            None => a.join(b),
        }),
        _ => Some(top),
    };
    // An empty result is impossible for arguments that have values; stay safe all the same.
    result.unwrap_or(top)
}

fn unary(op: Op, width: u8, a: &Range) -> Option<Range> {
    match op {
        Op::Not | Op::BvNot => Range {
            zeros: a.ones,
            ones: a.zeros,
            lo: mask(width) - a.hi,
            hi: mask(width) - a.lo,
            slo: !a.shi,
            shi: !a.slo,
            width,
        }
        .reduce(),
        Op::BvNeg => subtract(width, &Range::exactly(0, width), a),
        Op::BoolToBv => Some(*a),
        Op::Extract { hi, lo } => {
            let bits = Range::bits(width, a.zeros >> lo, a.ones >> lo)?;
            // Where the bits above are the same for both bounds, the lower bits stay in order.
            if a.lo >> hi >> 1 == a.hi >> hi >> 1 {
                let part = |v: u128| v >> lo & mask(width);
                return bits.meet(&Range::unsigned(width, part(a.lo), part(a.hi))?);
            }
            Some(bits)
        }
        Op::ZExt => {
            let zeros = a.zeros | (mask(width) & !mask(a.width));
            Range { zeros, ones: a.ones, lo: a.lo, hi: a.hi, ..Range::top(width) }.reduce()
        }
        Op::SExt => Range::signed(width, a.slo, a.shi)?.meet(&Range::bits(
            width,
            to_signed(a.zeros, a.width) as u128,
            to_signed(a.ones, a.width) as u128,
        )?),
        _ => None,
    }
}

fn binary(op: Op, width: u8, a: &Range, b: &Range) -> Option<Range> {
    let w = a.width;
    let truth = |v: Option<bool>| Some(Range::bool(v));
    match op {
        Op::And | Op::BvAnd => {
            Range::bits(width, a.zeros | b.zeros, a.ones & b.ones)?.meet(&Range::unsigned(width, 0, a.hi.min(b.hi))?)
        }
        Op::Or | Op::BvOr => Range::bits(width, a.zeros & b.zeros, a.ones | b.ones)?.meet(&Range::unsigned(
            width,
            a.lo.max(b.lo),
            mask(width),
        )?),
        Op::BvXor => Range::bits(width, a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros),
        Op::Add => add(width, a, b),
        Op::Sub => subtract(width, a, b),
        Op::Mul => multiply(width, a, b),
        Op::UDiv if b.lo > 0 => Range::unsigned(width, a.lo / b.hi, a.hi / b.lo),
        Op::URem if b.lo > 0 => Range::unsigned(width, 0, a.hi.min(b.hi - 1)),
        Op::SDiv if b.slo > 0 => {
            let corners = [a.slo / b.slo, a.slo / b.shi, a.shi / b.slo, a.shi / b.shi];
            Range::signed(width, *corners.iter().min()?, *corners.iter().max()?)
        }
        Op::SRem if b.slo > 0 => {
            let bound = b.shi - 1;
            let low = if a.slo >= 0 { 0 } else { a.slo.max(-bound) };
            let high = if a.shi <= 0 { 0 } else { a.shi.min(bound) };
            Range::signed(width, low, high)
        }
        Op::LShr => {
            let by = b.lo.min(127) as u32;
            Range::unsigned(width, 0, if b.lo >= u128::from(w) { 0 } else { a.hi >> by })
        }
        Op::AShr if a.slo >= 0 => Range::signed(width, 0, a.shi),
        Op::AShr if a.shi < 0 => Range::signed(width, a.slo, -1),
        Op::Concat => {
            let low = b.width;
            let join = |x: u128, y: u128| x << low | y;
            Range::bits(width, join(a.zeros, b.zeros), join(a.ones, b.ones))?.meet(&Range::unsigned(
                width,
                join(a.lo, b.lo),
                join(a.hi, b.hi),
            )?)
        }
        Op::Eq => truth(equal(a, b)),
        Op::Ult => truth(order(a.hi < b.lo, a.lo >= b.hi)),
        Op::Ule => truth(order(a.hi <= b.lo, a.lo > b.hi)),
        Op::Slt => truth(order(a.shi < b.slo, a.slo >= b.shi)),
        Op::Sle => truth(order(a.shi <= b.slo, a.slo > b.shi)),
        _ => truth(overflows(op, w, a, b)?),
    }
}

fn order(always: bool, never: bool) -> Option<bool> {
    if always {
        Some(true)
    } else if never {
        Some(false)
    } else {
        None
    }
}

fn equal(a: &Range, b: &Range) -> Option<bool> {
    match (a.value(), b.value()) {
        (Some(x), Some(y)) => Some(x == y),
        _ => a.meet(b).is_none().then_some(false),
    }
}

/// For an overflow predicate whether it holds for all or for none; `None` for another operation.
fn overflows(op: Op, w: u8, a: &Range, b: &Range) -> Option<Option<bool>> {
    let fits = |lo: Option<i128>, hi: Option<i128>| {
        let range = Range::top(w);
        matches!((lo, hi), (Some(lo), Some(hi)) if lo >= range.slo && hi <= range.shi)
    };
    let never = match op {
        Op::SAddO => fits(a.slo.checked_add(b.slo), a.shi.checked_add(b.shi)),
        Op::SSubO => fits(a.slo.checked_sub(b.shi), a.shi.checked_sub(b.slo)),
        Op::SMulO => {
            let corners = products(a, b);
            fits(corners.map(|c| c.0), corners.map(|c| c.1))
        }
        Op::UAddO => a.hi.checked_add(b.hi).is_some_and(|s| s <= mask(w)),
        Op::USubO => a.lo >= b.hi,
        Op::UMulO => a.hi.checked_mul(b.hi).is_some_and(|p| p <= mask(w)),
        _ => return None,
    };
    Some(never.then_some(false))
}

/// The least and greatest product of signed values.
fn products(a: &Range, b: &Range) -> Option<(i128, i128)> {
    let mut corners = [(a.slo, b.slo), (a.slo, b.shi), (a.shi, b.slo), (a.shi, b.shi)]
        .into_iter()
        .map(|(x, y)| x.checked_mul(y))
        .collect::<Option<Vec<i128>>>()?;
    corners.sort_unstable();
    Some((*corners.first()?, *corners.last()?))
}

/// A result known by its unsigned bounds where they do not wrap, by its signed bounds likewise, and by low bits.
fn arithmetic(
    width: u8,
    unsigned: Option<(u128, u128)>,
    signed: Option<(i128, i128)>,
    low_bits: (u128, u128),
) -> Option<Range> {
    let top = Range::top(width);
    let mut result = Range::bits(width, low_bits.0, low_bits.1)?;
    if let Some((lo, hi)) = unsigned.filter(|(_, hi)| *hi <= mask(width)) {
        result = result.meet(&Range::unsigned(width, lo, hi)?)?;
    }
    if let Some((slo, shi)) = signed.filter(|(slo, shi)| *slo >= top.slo && *shi <= top.shi) {
        result = result.meet(&Range::signed(width, slo, shi)?)?;
    }
    Some(result)
}

/// The lowest bits known of both: a mask of ones.
fn known_low(a: &Range, b: &Range) -> u128 {
    let known = (a.zeros | a.ones) & (b.zeros | b.ones);
    let run = (!known).trailing_zeros();
    if run >= 128 { u128::MAX } else { (1 << run) - 1 }
}

/// The low bits of a result as (zeros, ones).
fn low_result(low: u128, value: u128) -> (u128, u128) {
    (!value & low, value & low)
}

fn add(width: u8, a: &Range, b: &Range) -> Option<Range> {
    let unsigned = a.hi.checked_add(b.hi).map(|hi| (a.lo + b.lo, hi));
    let signed = a.slo.checked_add(b.slo).zip(a.shi.checked_add(b.shi));
    let low = low_result(known_low(a, b), a.ones.wrapping_add(b.ones));
    arithmetic(width, unsigned, signed, low)
}

fn subtract(width: u8, a: &Range, b: &Range) -> Option<Range> {
    let unsigned = a.lo.checked_sub(b.hi).map(|lo| (lo, a.hi - b.lo));
    let signed = a.slo.checked_sub(b.shi).zip(a.shi.checked_sub(b.slo));
    let low = low_result(known_low(a, b), a.ones.wrapping_sub(b.ones));
    arithmetic(width, unsigned, signed, low)
}

fn multiply(width: u8, a: &Range, b: &Range) -> Option<Range> {
    let unsigned = a.hi.checked_mul(b.hi).map(|hi| (a.lo * b.lo, hi));
    let trailing = |r: &Range| (!r.zeros).trailing_zeros();
    let zeros = (trailing(a) + trailing(b)).min(127);
    let even = (1u128 << zeros) - 1;
    let (known_zeros, known_ones) = low_result(known_low(a, b), a.ones.wrapping_mul(b.ones));
    arithmetic(width, unsigned, products(a, b), (known_zeros | even, known_ones & !even))
}
