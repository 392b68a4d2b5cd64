//! Sums as linear forms modulo 2^w: what the rules on sums and equations of sums share.

use smallvec::SmallVec;

use crate::op::Op;
use crate::sort::{Sort, mask};
use crate::term::{TermId, Terms};

/// Sums with more summands are left alone: looking at them again for each one more would take quadratic time.
const MAX_SUMMANDS: usize = 12; // not tuning: a term is the same whoever builds it, also to check a proof

/// Σ coefficient · term + constant, with coefficients modulo 2^w, none zero, each term once.
#[derive(Debug)]
struct Linear {
    width: u8,
    parts: SmallVec<[(TermId, u128); 8]>,
    constant: u128,
    /// Summands seen before equal terms were added up.
    seen: usize,
}

/// The inverse of an odd number modulo 2^128, by Newton's iteration: each step doubles the correct bits, and an odd
/// number is its own inverse modulo 8.
pub(super) fn inverse(c: u128) -> u128 {
    let mut x = c;
    for _ in 0..6 {
        x = x.wrapping_mul(2u128.wrapping_sub(c.wrapping_mul(x)));
    }
    x
}

impl Linear {
    /// `None` for sums that are too long.
    fn of(t: &Terms, root: TermId) -> Option<Linear> {
        let width = match t.sort(root) {
            Sort::Bv(w) => w,
            _ => return None,
        };
        let mut form = Linear { width, parts: SmallVec::new(), constant: 0, seen: 0 };
        form.add_term(t, root, 1)?;
        Some(form)
    }

    fn add_term(&mut self, t: &Terms, root: TermId, factor: u128) -> Option<()> {
        let mut stack: SmallVec<[(TermId, u128); 8]> = SmallVec::new();
        stack.push((root, factor));
        while let Some((term, k)) = stack.pop() {
            // What waits is at least a constant each: a chain of sums is not walked down to its end.
            if self.seen + stack.len() > 2 * MAX_SUMMANDS {
                return None;
            }
            let node = t.node(term);
            match node.op {
                Op::Add => stack.extend([(node.args[1], k), (node.args[0], k)]),
                Op::Sub => stack.extend([(node.args[1], k.wrapping_neg()), (node.args[0], k)]),
                Op::BvNeg => stack.push((node.args[0], k.wrapping_neg())),
                Op::BvConst(id) => self.constant = self.constant.wrapping_add(k.wrapping_mul(t.const_value(id))),
                Op::Mul => match t.as_bv(node.args[1]) {
                    Some(c) => stack.push((node.args[0], k.wrapping_mul(c))),
                    None => self.add_part(term, k)?,
                },
                _ => self.add_part(term, k)?,
            }
        }
        self.constant &= mask(self.width);
        Some(())
    }

    fn add_part(&mut self, term: TermId, k: u128) -> Option<()> {
        self.seen += 1;
        if self.seen > MAX_SUMMANDS {
            return None;
        }
        match self.parts.iter_mut().find(|(p, _)| *p == term) {
            Some((_, old)) => *old = old.wrapping_add(k) & mask(self.width),
            None => self.parts.push((term, k & mask(self.width))),
        }
        self.parts.retain(|(_, k)| *k != 0);
        Some(())
    }

    /// Positive parts first, so that a − b comes out as a subtraction; the constant last.
    fn build(&self, t: &mut Terms) -> TermId {
        let negative = |k: u128| k > mask(self.width) >> 1;
        let mut sum: Option<TermId> = None;
        for (term, k) in self.parts.iter().filter(|(_, k)| !negative(*k)) {
            let c = t.bv(*k, self.width);
            let part = t.mul(*term, c);
            sum = Some(sum.map_or(part, |s| t.add(s, part)));
        }
        for (term, k) in self.parts.iter().filter(|(_, k)| negative(*k)) {
            let c = t.bv(k.wrapping_neg(), self.width);
            let part = t.mul(*term, c);
            sum = Some(match sum {
                Some(s) => t.sub(s, part),
                None => t.neg(part),
            });
        }
        let constant = t.bv(self.constant, self.width);
        match sum {
            Some(s) => t.add(s, constant),
            None => constant,
        }
    }
}

/// The sum with equal summands added up, if there are any.
pub(super) fn combine(t: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    let mut form = Linear::of(t, a)?;
    let factor = if op == Op::Sub { u128::MAX } else { 1 };
    form.add_term(t, b, factor)?;
    (form.parts.len() < form.seen).then(|| form.build(t))
}

/// The equation a = b without the summands that both sides have with the same coefficient.
pub(super) fn cancel_equation(t: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let is_sum = |x: TermId| matches!(t.op(x), Op::Add | Op::Sub | Op::BvNeg);
    if !is_sum(a) && !is_sum(b) {
        return None;
    }
    let (mut left, mut right) = (Linear::of(t, a)?, Linear::of(t, b)?);
    let before = left.parts.len();
    let common: SmallVec<[(TermId, u128); 8]> =
        left.parts.iter().filter(|p| right.parts.contains(p)).copied().collect();
    left.parts.retain(|p| !common.contains(p));
    right.parts.retain(|p| !common.contains(p));
    // Two constants become one, on the side where it was alone or on the right.
    let both_constants = left.constant != 0 && right.constant != 0;
    if left.parts.len() == before && !both_constants {
        return None;
    }
    if both_constants {
        right.constant = right.constant.wrapping_sub(left.constant) & mask(right.width);
        left.constant = 0;
    }
    let (a, b) = (left.build(t), right.build(t));
    Some(t.eq(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_of_odd_numbers() {
        for c in [1u128, 3, 5, 0xffff_ffff, u128::MAX, 0x1234_5678_9abc_def1] {
            assert_eq!(c.wrapping_mul(inverse(c)), 1);
        }
    }

    #[test]
    fn long_sums_are_left_alone() {
        let mut t = Terms::new();
        let xs: Vec<TermId> = (0..40).map(|i| t.new_var(format!("x{i}"), Sort::Bv(32))).collect();
        let sum = xs.iter().copied().reduce(|a, b| t.add(a, b)).unwrap();
        let difference = t.sub(sum, xs[39]);
        assert_eq!(t.op(difference), Op::Sub);
        let (short, last) = (t.add(xs[0], xs[1]), xs[1]);
        assert_eq!(t.sub(short, last), xs[0]);
    }
}
