//! What is hard for solvers that turn words into gates: products, quotients and remainders.

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::solver::Query;
use crate::sort::Sort;
use crate::term::{TermId, Terms};

/// Whether an operation takes many gates, at least in the width that it has.
pub(super) fn is_hard(terms: &Terms, t: TermId) -> bool {
    let node = terms.node(t);
    match node.op {
        Op::UDiv | Op::URem | Op::SDiv | Op::SRem => terms.width(t) > 4,
        Op::Mul | Op::SMulO | Op::UMulO => {
            let is_word = matches!(terms.sort(node.args[0]), Sort::Bv(w) if w > 4);
            is_word && node.args.iter().all(|a| !terms.is_const(a))
        }
        _ => false,
    }
}

/// Remembers of terms whether something hard is in them.
#[derive(Debug, Default)]
pub(super) struct Hardness {
    known: FxHashMap<TermId, bool>,
}

impl Hardness {
    pub(super) fn of(&mut self, terms: &Terms, root: TermId) -> bool {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.known.contains_key(&t) {
                stack.pop();
                continue;
            }
            let node = terms.node(t);
            let before = stack.len();
            stack.extend(node.args.iter().filter(|a| !self.known.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            let hard = is_hard(terms, t) || node.args.iter().any(|a| self.known[&a]);
            self.known.insert(t, hard);
            stack.pop();
        }
        self.known[&root]
    }

    /// Whether something hard is in the query.
    pub(super) fn in_query(&mut self, terms: &Terms, query: &Query<'_>) -> bool {
        query.path.iter().chain([&query.goal]).any(|&term| self.of(terms, term))
    }

    /// The hard terms below the root that are not inside of other hard ones if `outermost`; else all. In order.
    pub(super) fn list(&mut self, terms: &Terms, root: TermId, outermost: bool) -> Vec<TermId> {
        let mut found = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![root];
        while let Some(t) = stack.pop() {
            if !seen.insert(t) || !self.of(terms, t) {
                continue;
            }
            let hard = is_hard(terms, t);
            if hard {
                found.push(t);
            }
            if !(hard && outermost) {
                stack.extend(terms.node(t).args.iter());
            }
        }
        found.sort_unstable();
        found
    }

    pub(super) fn clear(&mut self) {
        self.known.clear();
    }
}
