//! What a term is made of, remembered by its id.

use std::rc::Rc;

use covenant_constraints::{Op, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

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
pub(super) fn conjuncts(terms: &Terms, term: TermId) -> Vec<TermId> {
    parts(terms, term, Op::And)
}

/// The parts of a disjunction, in order.
pub(super) fn disjuncts(terms: &Terms, term: TermId) -> Vec<TermId> {
    parts(terms, term, Op::Or)
}

fn parts(terms: &Terms, term: TermId, op: Op) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut pending = vec![term];
    while let Some(t) = pending.pop() {
        if terms.op(t) == op {
            pending.extend([terms.arg(t, 1), terms.arg(t, 0)]);
        } else if !found.contains(&t) {
            found.push(t);
        }
    }
    found
}
