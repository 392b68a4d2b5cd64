//! Constants of the program as parameters.
//!
//! Asked about a loop up to 100, Spacer tends to go through all hundred rounds; asked about a loop up to some n, it has to find
//! the reason. So the clauses can be written with unknown numbers in place of larger constants, of which only the
//! order of their sizes is known. An invariant that holds for all such numbers holds for the constants. The numbers are parameters
//! that every relation hands on.

use num_bigint::BigInt;

use super::expr::{Expr, Exprs};
use super::number::pow2;
use crate::op::Op;
use crate::sort::{Sort, to_signed};
use crate::term::{TermId, Terms};
use crate::tuning::Tuning;

/// Constants that are neighbours, but for their signs: `x - 10` and `x > 9` speak of the same number. The parameter stands for
/// the first.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    first: u128,
    last: u128,
    /// The narrowest vector that one of them is.
    width: u8,
}

/// Which constants have parameters; none by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constants {
    groups: Vec<Group>,
    /// None of them is nearer to zero.
    least: u128,
}

impl Constants {
    /// Those that variables start from, and that conditions compare with or count by.
    pub fn of(terms: &Terms, starts: &[TermId], conditions: &[TermId], tuning: &Tuning) -> Constants {
        let least = tuning.parameters_least;
        let roots: Vec<TermId> = starts.iter().chain(conditions).copied().collect();
        let mut found: Vec<(u128, u8)> = Vec::new();
        let mut add = |t: TermId| {
            if let (Sort::Bv(w), Some(bits)) = (terms.sort(t), terms.as_bv(t)) {
                let size = to_signed(bits, w).unsigned_abs();
                // Limits of the type are no bounds of the program.
                if size >= least && w > 2 && size <= 1 << (w - 2) {
                    found.push((size, w));
                }
            }
        };
        starts.iter().for_each(|t| add(*t));
        for t in terms.postorder(&roots) {
            let op = terms.op(t);
            if matches!(op, Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::Eq | Op::Add | Op::Sub | Op::Ite) {
                terms.node(t).args.iter().for_each(&mut add);
            }
        }
        found.sort_unstable();
        let mut groups: Vec<Group> = Vec::new();
        for (value, width) in found {
            match groups.last_mut().filter(|g| value - g.last <= tuning.parameters_near) {
                Some(group) => *group = Group { first: group.first, last: value, width: width.min(group.width) },
                None => groups.push(Group { first: value, last: value, width }),
            }
        }
        if groups.len() > tuning.parameters_most {
            groups.clear();
        }
        Constants { groups, least }
    }

    /// Whether all constants stay numbers.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// What the parameters stand for.
    pub fn values(&self) -> impl Iterator<Item = BigInt> + '_ {
        self.groups.iter().map(|g| g.first.into())
    }

    /// The names of the parameters, in the order of [`Constants::values`].
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        (0..self.groups.len()).map(|i| format!("c{i}"))
    }

    /// The constant by its parameter, if it has one.
    pub(super) fn expr(&self, exprs: &mut Exprs, value: i128) -> Option<Expr> {
        let size = value.unsigned_abs();
        let (i, group) = self.groups.iter().enumerate().find(|(_, g)| (g.first..=g.last).contains(&size))?;
        let parameter = exprs.symbol(format!("c{i}"));
        let positive = exprs.add_number(parameter, &(size - group.first).into());
        Some(exprs.scale(positive, &BigInt::from(if value < 0 { -1 } else { 1 })))
    }

    /// What is known of the parameters: their order, that they are not near zero, and that adding to them does not leave the
    /// type at once.
    pub fn facts(&self, exprs: &mut Exprs) -> Vec<Expr> {
        let mut facts = Vec::new();
        let mut previous: Option<(Expr, BigInt)> = None;
        for (name, group) in self.names().zip(&self.groups) {
            let parameter = exprs.symbol(name);
            let span = BigInt::from(group.last - group.first);
            let most = pow2(u32::from(group.width) - 2) - &span;
            let (low, high) = (exprs.number(self.least), exprs.number(most));
            facts.push(exprs.le(low, parameter));
            facts.push(exprs.le(parameter, high));
            if let Some((smaller, span)) = previous {
                let next = exprs.add_number(smaller, &(span + 1));
                facts.push(exprs.le(next, parameter));
            }
            previous = Some((parameter, span));
        }
        facts
    }
}
