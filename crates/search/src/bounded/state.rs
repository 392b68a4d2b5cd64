//! The state of all ways to a place, and under which condition the program is there.

use std::collections::BTreeSet;
use std::rc::Rc;

use covenant_constraints::{TermId, Terms, VarId};
use covenant_transition::trace::Ground;
use rustc_hash::FxHashMap;

use super::cases::Cases;
use super::limits::Limits;
use super::memory::{Array, Memory};

/// What a variable is.
#[derive(Clone, Debug)]
pub(super) enum Val {
    Term(TermId),
    Array(Rc<Array>),
    /// The flow does not say, or the run does not.
    Unknown,
}

/// Variables that have changed since the start.
pub(super) type State = FxHashMap<VarId, Val>;

/// All ways to a place.
#[derive(Debug, Default)]
pub(super) struct Way {
    pub(super) path: Path,
    pub(super) limits: Limits,
    pub(super) state: State,
}

/// The conditions along all ways to a place, the latest last. Ways that part and meet again leave nothing behind.
#[derive(Clone, Debug, Default)]
pub(super) struct Path(Option<Rc<Link>>);

#[derive(Debug)]
struct Link {
    condition: TermId,
    before: Path,
    length: u32,
}

impl Path {
    pub(super) fn and(&self, terms: &Terms, conditions: &[TermId]) -> Path {
        let mut path = self.clone();
        for &condition in conditions.iter().filter(|&&c| terms.as_bool(c) != Some(true)) {
            let length = path.len() + 1;
            path = Path(Some(Rc::new(Link { condition, before: path, length })));
        }
        path
    }

    fn len(&self) -> u32 {
        self.0.as_ref().map_or(0, |link| link.length)
    }

    fn is(&self, other: &Path) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    /// All of it as one condition.
    pub(super) fn condition(&self, terms: &mut Terms) -> TermId {
        let mut all = Vec::new();
        let mut at = self;
        while let Path(Some(link)) = at {
            all.push(link.condition);
            at = &link.before;
        }
        terms.and_all(all.into_iter().rev())
    }

    /// What two paths have in common, and how each goes on.
    fn fork(&self, other: &Path) -> (Path, Vec<TermId>, Vec<TermId>) {
        let (mut a, mut b) = (self.clone(), other.clone());
        let (mut rest, mut others) = (Vec::new(), Vec::new());
        while !a.is(&b) {
            let (longer, list) = if a.len() >= b.len() { (&mut a, &mut rest) } else { (&mut b, &mut others) };
            let Some(link) = longer.0.clone() else { break };
            list.push(link.condition);
            *longer = link.before.clone();
        }
        rest.reverse();
        others.reverse();
        (a, rest, others)
    }
}

impl Drop for Link {
    /// One after the other: a long path must not need a long stack.
    fn drop(&mut self) {
        let mut next = self.before.0.take();
        while let Some(mut link) = next.and_then(Rc::into_inner) {
            next = link.before.0.take();
        }
    }
}

impl Way {
    /// Two ways to a place as one. A value that differs depends on which of them was taken.
    pub(super) fn join(self, other: Way, live: &BTreeSet<VarId>, memory: &mut Memory, ground: &mut dyn Ground) -> Way {
        let (common, mut rest, mut other_rest) = self.path.fork(&other.path);
        let same = rest.iter().zip(&other_rest).take_while(|(a, b)| a == b).count();
        let common = common.and(ground.terms(), &rest[..same]);
        rest.drain(..same);
        other_rest.drain(..same);
        let terms = ground.terms();
        let parts = match (rest.first(), other_rest.first()) {
            (Some(&a), Some(&b)) if terms.not(a) == b => a,
            _ => terms.and_all(rest.iter().copied()),
        };
        let (a, b) = (terms.and_all(rest), terms.and_all(other_rest));
        let either = terms.or(a, b);
        let path = common.and(terms, &[either]);
        let mut state = self.state;
        for &var in live {
            if !state.contains_key(&var) && !other.state.contains_key(&var) {
                continue;
            }
            let (a, b) = (memory.value(&state, var, ground), memory.value(&other.state, var, ground));
            state.insert(var, choose(parts, a, b, &mut memory.cases, ground.terms()));
        }
        Way { path, limits: self.limits.join(&other.limits), state }
    }
}

/// The first value under the condition, the second otherwise.
pub(super) fn choose(condition: TermId, a: Val, b: Val, cases: &mut Cases, terms: &mut Terms) -> Val {
    match (terms.as_bool(condition), a, b) {
        (Some(true), a, _) => a,
        (Some(false), _, b) => b,
        (None, Val::Term(a), Val::Term(b)) => Val::Term(cases.ite(condition, a, b, terms)),
        (None, Val::Array(a), Val::Array(b)) if Rc::ptr_eq(&a, &b) => Val::Array(a),
        (None, Val::Array(a), Val::Array(b)) => Val::Array(Rc::new(Array::Either(condition, a, b))),
        _ => Val::Unknown,
    }
}
