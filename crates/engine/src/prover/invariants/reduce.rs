//! The part of an invariant that one target needs: what the unreachability of the target was concluded from, what that
//! was concluded from, and so on. It is inductive by itself, small, and tells a reader why.

use std::collections::BTreeMap;

use covenant_constraints::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::entail::entail;
use super::oracle::Oracle;
use super::shapes::Shapes;
use super::walk::Conditions;
use crate::prover::flow::{EdgeId, Flow, LocationId};

/// What a condition behind an edge was concluded from, for all targets.
#[derive(Debug, Default)]
pub(super) struct Reasons {
    known: FxHashMap<(EdgeId, TermId), Option<Vec<TermId>>>,
}

impl Reasons {
    /// The conditions that the target needs; `None` if the solver does not say again what it has said before.
    pub(super) fn of(
        &mut self,
        flow: &Flow,
        terms: &mut Terms,
        shapes: &mut Shapes,
        oracle: &mut Oracle<'_>,
        conditions: &Conditions,
        target: LocationId,
    ) -> Option<BTreeMap<LocationId, TermId>> {
        let mut needed: BTreeMap<LocationId, Vec<TermId>> = BTreeMap::new();
        let mut seen: FxHashSet<(LocationId, TermId)> = FxHashSet::default();
        let mut pending = vec![(target, terms.ff())];
        seen.insert((target, terms.ff()));
        while let Some((location, condition)) = pending.pop() {
            needed.entry(location).or_default().push(condition);
            for &e in &flow.locations[location].into {
                let edge = &flow.edges[e];
                let reasons = self.known.entry((e, condition)).or_insert_with(|| {
                    let result = entail(terms, shapes, oracle, edge, &conditions[edge.from], &[condition]);
                    let mut needs: Vec<TermId> = result.needs.into_iter().collect();
                    needs.sort_unstable();
                    result.failed.is_empty().then_some(needs)
                });
                for &need in reasons.as_ref()? {
                    if seen.insert((edge.from, need)) {
                        pending.push((edge.from, need));
                    }
                }
            }
        }
        Some(needed.into_iter().map(|(l, all)| (l, conjunction(terms, &all))).collect())
    }
}

/// The conditions as one term.
pub(super) fn conjunction(terms: &mut Terms, all: &[TermId]) -> TermId {
    if all.contains(&terms.ff()) { terms.ff() } else { terms.and_all(all.iter().copied()) }
}
