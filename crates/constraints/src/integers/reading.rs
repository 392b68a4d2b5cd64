//! Which of its two readings a bit-vector variable has.
//!
//! What a variable is used for votes: signed comparisons, extensions and divisions for the signed reading, unsigned ones for
//! the other. Variables whose values flow into each other by rules vote together, so that an argument seldom has to be
//! converted to the reading of its parameter.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::op::Op;
use crate::sort::Sort;
use crate::term::{TermId, Terms, VarId};
use crate::tuning::Tuning;

/// The readings of variables; signed unless it is known to be better otherwise.
#[derive(Debug)]
pub struct Readings {
    unsigned: FxHashSet<VarId>,
}

impl Readings {
    /// By what is done with variables below the roots; `flows` are terms that variables become.
    pub fn choose(terms: &Terms, roots: &[TermId], flows: &[(VarId, TermId)], tuning: &Tuning) -> Readings {
        let mut ballot = Ballot::of(terms, roots, tuning);
        for &(to, from) in flows {
            for var in carriers(terms, from, tuning.integers_look) {
                ballot.unite(to, var);
            }
        }
        ballot.count()
    }

    /// Which of the two numbers a variable is read as.
    pub fn is_signed(&self, terms: &Terms, var: VarId) -> bool {
        // For one bit, 0 and 1 read better than 0 and −1.
        terms.var_sort(var) != Sort::Bv(1) && !self.unsigned.contains(&var)
    }
}

/// Positive for the signed reading.
fn vote(op: Op) -> i64 {
    match op {
        Op::Slt | Op::Sle | Op::SExt | Op::SDiv | Op::SRem | Op::AShr | Op::SAddO | Op::SSubO | Op::SMulO => 1,
        Op::Ult | Op::Ule | Op::ZExt | Op::UDiv | Op::URem | Op::LShr | Op::UAddO | Op::USubO | Op::UMulO => -1,
        _ => 0,
    }
}

/// The variables of the same width whose value the term is, but for arithmetic; no more than `most` nodes are looked at.
fn carriers(terms: &Terms, t: TermId, most: usize) -> Vec<VarId> {
    let mut seen = FxHashSet::default();
    let mut stack = vec![t];
    let mut found = Vec::new();
    while let Some(t) = stack.pop() {
        if !matches!(terms.sort(t), Sort::Bv(_)) || seen.len() >= most || !seen.insert(t) {
            continue;
        }
        match terms.op(t) {
            Op::Var(v) => found.push(v),
            Op::Add | Op::Sub | Op::Mul | Op::BvNeg => stack.extend(terms.node(t).args.iter()),
            Op::Ite => stack.extend(terms.node(t).args.iter().skip(1)),
            _ => {}
        }
    }
    found
}

/// Votes of variables, and who votes together.
#[derive(Default)]
struct Ballot {
    votes: FxHashMap<VarId, i64>,
    parents: FxHashMap<VarId, VarId>,
}

impl Ballot {
    /// What is done with variables below these terms.
    fn of(terms: &Terms, roots: &[TermId], tuning: &Tuning) -> Ballot {
        let mut ballot = Ballot::default();
        for t in terms.postorder(roots) {
            let vote = vote(terms.op(t));
            if vote != 0 {
                for arg in terms.node(t).args.iter() {
                    for var in carriers(terms, arg, tuning.integers_look) {
                        *ballot.votes.entry(var).or_default() += vote;
                    }
                }
            }
        }
        ballot
    }

    fn leader(&self, var: VarId) -> VarId {
        let mut at = var;
        while let Some(&parent) = self.parents.get(&at) {
            at = parent;
        }
        at
    }

    fn unite(&mut self, a: VarId, b: VarId) {
        let (a, b) = (self.leader(a), self.leader(b));
        if a != b {
            self.parents.insert(a.max(b), a.min(b));
        }
    }

    fn count(&self) -> Readings {
        let mut totals: FxHashMap<VarId, i64> = FxHashMap::default();
        for (&var, vote) in &self.votes {
            *totals.entry(self.leader(var)).or_default() += vote;
        }
        let everyone = self.votes.keys().chain(self.parents.keys()).chain(self.parents.values());
        let unsigned = everyone.copied().filter(|v| totals.get(&self.leader(*v)).is_some_and(|t| *t < 0)).collect();
        Readings { unsigned }
    }
}
