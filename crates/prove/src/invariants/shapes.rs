//! What a term is made of, remembered by its id.

use std::rc::Rc;

use covenant_constraints::{Op, TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// In order.
    pub(super) vars: Vec<VarId>,
    /// Nodes, shared ones counted once.
    pub(super) size: usize,
    /// Has products, quotients or float operations that solvers find hard.
    pub(super) hard: bool,
}

impl Shape {
    pub(super) fn mentions(&self, var: VarId) -> bool {
        self.vars.binary_search(&var).is_ok()
    }
}

#[derive(Debug, Default)]
pub(super) struct Shapes {
    known: FxHashMap<TermId, Rc<Shape>>,
}

impl Shapes {
    pub(super) fn of(&mut self, terms: &Terms, term: TermId) -> Rc<Shape> {
        if let Some(shape) = self.known.get(&term) {
            return Rc::clone(shape);
        }
        let nodes = terms.postorder(&[term]);
        let mut vars: Vec<VarId> = nodes.iter().filter_map(|t| terms.as_var(*t)).collect();
        vars.sort_unstable();
        let hard = nodes.iter().any(|t| is_hard(terms, *t));
        let shape = Rc::new(Shape { vars, size: nodes.len(), hard });
        self.known.insert(term, Rc::clone(&shape));
        shape
    }
}

fn is_hard(terms: &Terms, term: TermId) -> bool {
    let node = terms.node(term);
    match node.op {
        Op::Mul | Op::SMulO | Op::UMulO => !terms.is_const(node.args[1]),
        Op::UDiv | Op::URem | Op::SDiv | Op::SRem => !terms.as_bv(node.args[1]).is_some_and(|c| c.is_power_of_two()),
        Op::FMul | Op::FDiv | Op::FRem | Op::FSqrt | Op::FFma => true,
        _ => false,
    }
}

/// The parts of a conjunction, in order.
pub(super) fn conjuncts(terms: &mut Terms, term: TermId) -> Vec<TermId> {
    parts(terms, term, Op::And, Op::Or)
}

/// The parts of a disjunction, in order.
pub(super) fn disjuncts(terms: &mut Terms, term: TermId) -> Vec<TermId> {
    parts(terms, term, Op::Or, Op::And)
}

/// Whether a condition has several disjuncts.
pub(super) fn is_alternative(terms: &Terms, term: TermId) -> bool {
    match terms.op(term) {
        Op::Or => true,
        Op::Not => terms.op(terms.arg(term, 0)) == Op::And,
        _ => false,
    }
}

/// The arguments of nested nodes with the operation `op`, and of negated ones with its dual.
fn parts(terms: &mut Terms, term: TermId, op: Op, dual: Op) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut pending = vec![term];
    while let Some(t) = pending.pop() {
        if !seen.insert(t) {
            continue;
        }
        let node = *terms.node(t);
        let inner = (node.op == Op::Not).then(|| *terms.node(node.args[0]));
        if node.op == op {
            pending.extend(node.args.iter().rev());
        } else if let Some(inner) = inner.filter(|n| n.op == dual) {
            for arg in inner.args.iter().rev() {
                pending.push(terms.not(arg));
            }
        } else {
            found.push(t);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use covenant_constraints::Sort;

    use super::*;

    #[test]
    fn parts_are_seen_through_negations() {
        let mut t = Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| t.new_var(name, Sort::Bool));
        let (na, nb, nc) = (t.not(a), t.not(b), t.not(c));
        let both = t.and(a, b);
        let neither = t.not(both);
        let any = t.or(neither, c);
        // The older argument comes first.
        assert_eq!(disjuncts(&mut t, any), [c, na, nb]);
        let none = t.not(any);
        assert_eq!(conjuncts(&mut t, none), [nc, a, b]);
        assert!(is_alternative(&t, neither) && is_alternative(&t, any) && !is_alternative(&t, both));
        assert_eq!(conjuncts(&mut t, any), [any]);
    }
}
