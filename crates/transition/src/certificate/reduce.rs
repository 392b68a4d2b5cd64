//! Smaller certificates: what a proof does not need is dropped, so that a person has less to read and a checker less to do.
//!
//! From the locations of the objective backwards: a conjunct is needed if it is what the objective asks for (`false`), or
//! if an unsatisfiable core that shows a needed conjunct at the end of an edge has it at the start. What is left is an
//! invariant again, as every needed conjunct comes with all that shows it.

use covenant_constraints::solver::Steps;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use covenant_constraints::solver::{Answer, Query, Solver};
use covenant_constraints::{TermId, Terms};
use covenant_goals::ObjectiveId;

use super::{Invariant, after, conjuncts};
use crate::flow::{EdgeId, Flow, LocationId};

type Needed = BTreeMap<LocationId, BTreeSet<TermId>>;

/// The part of the invariant that the objective's proof needs. Given back as it is where the solver cannot show a step or
/// more than `most` queries would be needed.
pub fn reduce(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    flow: &Flow,
    invariant: &Invariant,
    objective: ObjectiveId,
    steps: Steps,
    most: usize,
) -> Invariant {
    let mut reducer = Reducer { terms, solver, flow, invariant, steps, left: most };
    match reducer.needed(&flow.target(objective).locations) {
        Some(needed) => {
            let needed = needed.into_iter().filter(|(_, parts)| !parts.is_empty());
            Invariant(needed.map(|(location, parts)| (location, reducer.terms.and_all(parts))).collect())
        }
        None => invariant.clone(),
    }
}

struct Reducer<'a> {
    terms: &'a mut Terms,
    solver: &'a mut dyn Solver,
    flow: &'a Flow,
    invariant: &'a Invariant,
    steps: Steps,
    left: usize,
}

impl Reducer<'_> {
    fn needed(&mut self, targets: &[LocationId]) -> Option<Needed> {
        let unreachable = self.terms.ff();
        let mut needed: Needed = targets.iter().map(|&l| (l, BTreeSet::from([unreachable]))).collect();
        let mut pending: VecDeque<(LocationId, TermId)> = targets.iter().map(|&l| (l, unreachable)).collect();
        while let Some((location, conjunct)) = pending.pop_front() {
            let flow = self.flow;
            for &edge in &flow.locations[location].into {
                let from = flow.edges[edge].from;
                let so_far = needed.entry(from).or_default();
                let more = self.shown_by(edge, conjunct, so_far)?;
                pending.extend(more.iter().map(|&c| (from, c)));
                so_far.extend(more);
            }
        }
        Some(needed)
    }

    /// Conjuncts at the start of the edge, beyond those that are needed already, with which it makes `conjunct` hold.
    fn shown_by(&mut self, edge: EdgeId, conjunct: TermId, so_far: &BTreeSet<TermId>) -> Option<Vec<TermId>> {
        let unreachable = self.terms.ff();
        let after = after(self.terms, self.flow, edge, conjunct);
        if after == self.terms.tt() || so_far.contains(&after) || so_far.contains(&unreachable) {
            return Some(Vec::new());
        }
        let all = conjuncts(self.terms, self.invariant.at(self.terms, self.flow.edges[edge].from));
        if all.contains(&after) {
            return Some(vec![after]);
        }
        let goal = self.terms.not(after);
        let guard = &self.flow.edges[edge].guard;
        let known: Vec<TermId> = guard.iter().chain(so_far).copied().collect();
        if self.core(&known, goal)?.is_some() {
            return Some(Vec::new());
        }
        if all.contains(&unreachable) {
            return Some(vec![unreachable]);
        }
        let new: Vec<TermId> = all.into_iter().filter(|c| !so_far.contains(c)).collect();
        let path: Vec<TermId> = known.iter().chain(&new).copied().collect();
        let core = self.core(&path, goal)??;
        Some(core.into_iter().filter_map(|i| new.get(i.checked_sub(known.len())?).copied()).collect())
    }

    /// The indices of an unsatisfiable core; `Some(None)` if all can hold; `None` if nobody knows or no query is left.
    fn core(&mut self, path: &[TermId], goal: TermId) -> Option<Option<Vec<usize>>> {
        self.left = self.left.checked_sub(1)?;
        let query = Query { path, goal, steps: self.steps, hint: None };
        match self.solver.solve(self.terms, &query) {
            Answer::Unsat(core) => Some(Some(core.path)),
            Answer::Sat(_) => Some(None),
            Answer::Unknown(_) => None,
        }
    }
}
