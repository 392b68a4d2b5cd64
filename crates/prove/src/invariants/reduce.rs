//! The part of an invariant that one target needs: what the unreachability of the target was concluded from, what that
//! was concluded from, and so on. It is inductive by itself, small, and tells a reader why.

use std::collections::BTreeMap;

use covenant_constraints::{TermId, Terms};
use covenant_transition::flow::{Edge, EdgeId, Flow, LocationId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::entail::entail;
use super::oracle::Oracle;
use super::shapes::Shapes;
use super::walk::Conditions;

/// What a condition behind an edge was concluded from, for all targets.
pub(super) struct Reasons<'a, 'o> {
    pub(super) flow: &'a Flow,
    pub(super) terms: &'a mut Terms,
    pub(super) shapes: &'a mut Shapes,
    pub(super) oracle: &'a mut Oracle<'o>,
    /// Inductive.
    pub(super) conditions: &'a Conditions,
    pub(super) known: FxHashMap<(EdgeId, TermId), Option<Vec<TermId>>>,
}

impl Reasons<'_, '_> {
    /// The conditions that the target needs; `None` if the solver does not say again what it has said before.
    pub(super) fn of(&mut self, target: LocationId) -> Option<BTreeMap<LocationId, TermId>> {
        let flow = self.flow;
        let never = self.terms.ff();
        let mut needed: BTreeMap<LocationId, Vec<TermId>> = BTreeMap::new();
        let mut seen: FxHashSet<(LocationId, TermId)> = FxHashSet::default();
        let mut pending = vec![(target, never)];
        seen.insert((target, never));
        while let Some((location, condition)) = pending.pop() {
            needed.entry(location).or_default().push(condition);
            for &e in &flow.locations[location].into {
                let edge = &flow.edges[e];
                let reasons = match self.known.get(&(e, condition)) {
                    Some(known) => known.clone(),
                    None => {
                        let found = self.reasons(edge, condition, &seen);
                        self.known.insert((e, condition), found.clone());
                        found
                    }
                };
                for need in reasons? {
                    if seen.insert((edge.from, need)) {
                        pending.push((edge.from, need));
                    }
                }
            }
        }
        Some(needed.into_iter().map(|(l, all)| (l, conjunction(self.terms, &all))).collect())
    }

    /// Conditions before the edge none of which can be done without, where that is easy to see.
    fn reasons(
        &mut self,
        edge: &Edge,
        condition: TermId,
        seen: &FxHashSet<(LocationId, TermId)>,
    ) -> Option<Vec<TermId>> {
        let mut needs = self.proof(edge, &self.conditions[edge.from], condition)?;
        let hard = needs.iter().chain([&condition]).any(|c| self.shapes.of(self.terms, *c).hard);
        if needs.len() > self.oracle.tuning().reduce_reasons || hard {
            return Some(needs);
        }
        // What is needed anyway is tried last, so that it stays.
        needs
            .sort_by_key(|n| (seen.contains(&(edge.from, *n)), std::cmp::Reverse(self.shapes.of(self.terms, *n).size)));
        let mut at = 0;
        while at < needs.len() {
            let mut fewer = needs.clone();
            fewer.remove(at);
            match self.proof(edge, &fewer, condition) {
                Some(enough) => needs.retain(|n| enough.contains(n)),
                None => at += 1,
            }
        }
        needs.sort_unstable();
        Some(needs)
    }

    fn proof(&mut self, edge: &Edge, known: &[TermId], condition: TermId) -> Option<Vec<TermId>> {
        let result = entail(self.terms, self.shapes, self.oracle, edge, known, &[condition]);
        let mut needs: Vec<TermId> = result.needs.into_iter().collect();
        needs.sort_unstable();
        result.failed.is_empty().then_some(needs)
    }
}

/// The conditions as one term.
pub(super) fn conjunction(terms: &mut Terms, all: &[TermId]) -> TermId {
    if all.contains(&terms.ff()) { terms.ff() } else { terms.and_all(all.iter().copied()) }
}
