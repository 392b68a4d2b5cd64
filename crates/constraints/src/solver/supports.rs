//! What a constraint depends on, remembered by its id.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::sort::{FloatKind, Sort};
use crate::term::{TermId, Terms, VarId};

/// What is below one term.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Support {
    /// In order.
    pub(crate) vars: Vec<VarId>,
    /// Terms that take the bits of a float, which solvers know only by a definition. Arguments first.
    pub(crate) float_bits: Vec<TermId>,
    /// Whether some term is a float of 80 bits, which not every solver knows.
    pub(crate) extended: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Supports {
    known: FxHashMap<TermId, Arc<Support>>,
}

impl Supports {
    pub(crate) fn of(&mut self, terms: &Terms, root: TermId) -> Arc<Support> {
        if let Some(known) = self.known.get(&root) {
            return Arc::clone(known);
        }
        let mut support = Support::default();
        for t in terms.postorder(&[root]) {
            support.extended |= terms.sort(t) == Sort::Float(FloatKind::F80);
            match terms.op(t) {
                Op::Var(v) => support.vars.push(v),
                Op::FToIeee => support.float_bits.push(t),
                _ => {}
            }
        }
        let support = Arc::new(support);
        self.known.insert(root, Arc::clone(&support));
        support
    }

    pub(crate) fn clear(&mut self) {
        self.known.clear();
    }
}
