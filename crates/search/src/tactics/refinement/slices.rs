//! The part of a path that a question has to do with.

use std::rc::Rc;

use covenant_concolic::symbolic::{Event, EventKind};
use covenant_constraints::{TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which constraints of a path have a variable.
#[derive(Debug)]
pub(super) struct Slices {
    pub(super) constraints: Vec<TermId>,
    /// Which of them only say which concrete value something had.
    pub(super) pins: Vec<bool>,
    by_var: FxHashMap<VarId, Vec<u32>>,
    /// The variables of all, and where those of each end.
    vars: Vec<VarId>,
    ends: Vec<u32>,
}

impl Slices {
    pub(super) fn new(terms: &Terms, events: &[Event]) -> Slices {
        let mut by_var: FxHashMap<VarId, Vec<u32>> = FxHashMap::default();
        let (mut vars, mut ends) = (Vec::new(), Vec::with_capacity(events.len()));
        let mut known = KnownVariables::default();
        for (i, event) in events.iter().enumerate() {
            let of = known.of(terms, event.constraint);
            for &var in of.iter() {
                by_var.entry(var).or_default().push(i as u32);
            }
            vars.extend_from_slice(&of);
            ends.push(vars.len() as u32);
        }
        let pins = events.iter().map(|event| matches!(event.kind, EventKind::Pin(_))).collect();
        Slices { constraints: events.iter().map(|event| event.constraint).collect(), pins, by_var, vars, ends }
    }

    /// The variables of one constraint.
    pub(super) fn of(&self, event: usize) -> &[VarId] {
        let start = if event == 0 { 0 } else { self.ends[event - 1] as usize };
        &self.vars[start..self.ends[event] as usize]
    }

    /// The constraints among the first ones that have to do with the goal, and all their variables.
    ///
    /// With `pins`, those too that only say which concrete value something had.
    pub(super) fn slice(
        &self,
        terms: &Terms,
        goal: TermId,
        first: usize,
        pins: bool,
    ) -> (Vec<TermId>, FxHashSet<VarId>) {
        let mut work = terms.variables(&[goal]);
        let mut seen: FxHashSet<VarId> = work.iter().copied().collect();
        let mut chosen: FxHashSet<u32> = FxHashSet::default();
        while let Some(var) = work.pop() {
            for &i in self.by_var.get(&var).into_iter().flatten().take_while(|&&i| (i as usize) < first) {
                let is_pin = self.pins[i as usize];
                if (pins || !is_pin) && chosen.insert(i) {
                    work.extend(self.of(i as usize).iter().copied().filter(|&var| seen.insert(var)));
                }
            }
        }
        let mut chosen: Vec<u32> = chosen.into_iter().collect();
        chosen.sort_unstable();
        let mut path: Vec<TermId> = chosen.into_iter().map(|i| self.constraints[i as usize]).collect();
        path.dedup();
        (path, seen)
    }
}

/// The variables of many terms that have much in common: each term is looked at once.
#[derive(Default)]
struct KnownVariables(FxHashMap<TermId, Rc<[VarId]>>);

impl KnownVariables {
    fn of(&mut self, terms: &Terms, root: TermId) -> Rc<[VarId]> {
        let mut fresh = vec![root];
        let mut next = 0;
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        while let Some(&term) = fresh.get(next) {
            next += 1;
            fresh.extend(terms.node(term).args.iter().filter(|arg| !self.0.contains_key(arg) && seen.insert(*arg)));
        }
        // Ids are a topological order.
        fresh.sort_unstable();
        for term in fresh {
            if !self.0.contains_key(&term) {
                let vars = self.join(terms, term);
                self.0.insert(term, vars);
            }
        }
        Rc::clone(&self.0[&root])
    }

    /// The variables of a term whose arguments are known.
    fn join(&self, terms: &Terms, term: TermId) -> Rc<[VarId]> {
        if let Some(var) = terms.as_var(term) {
            return Rc::from([var]);
        }
        let mut most: Option<&Rc<[VarId]>> = None;
        let mut all: Vec<VarId> = Vec::new();
        for arg in terms.node(term).args.iter() {
            let vars = &self.0[&arg];
            if most.is_none_or(|most| most.len() < vars.len()) {
                most = Some(vars);
            }
            all.extend_from_slice(vars);
        }
        all.sort_unstable();
        all.dedup();
        match most {
            Some(most) if most.len() == all.len() => Rc::clone(most),
            _ => all.into(),
        }
    }
}
