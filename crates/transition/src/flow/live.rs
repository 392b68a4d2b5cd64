//! Which variables matter.

use std::collections::BTreeSet;

use covenant_constraints::{TermId, Terms, VarId};
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Flow, LocationId};

/// Drops assignments to variables that no guard depends on, however indirectly. Each term is looked at once: those of unrolled
/// code share most of their parts.
pub(super) fn drop_unused(flow: &mut Flow, terms: &Terms) {
    let mut assigned: FxHashMap<VarId, Vec<TermId>> = FxHashMap::default();
    let mut work: Vec<TermId> = Vec::new();
    for edge in flow.edges.values() {
        work.extend(&edge.guard);
        for &(var, term) in &edge.assign {
            assigned.entry(var).or_default().push(term);
        }
    }
    let (mut used, mut seen) = (FxHashSet::<VarId>::default(), FxHashSet::<TermId>::default());
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        work.extend(terms.node(term).args.iter());
        if let Some(var) = terms.as_var(term) {
            used.insert(var);
            work.extend(assigned.get(&var).into_iter().flatten());
        }
    }
    for edge in flow.edges.values_mut() {
        edge.assign.retain(|&(var, term)| used.contains(&var) && terms.as_var(term) != Some(var));
    }
    flow.variables.retain(|var, _| used.contains(var));
}

/// The state variables that may still be read at each of the given locations, going only through these.
pub fn live_variables(
    flow: &Flow,
    terms: &Terms,
    within: &BTreeSet<LocationId>,
) -> SecondaryMap<LocationId, BTreeSet<VarId>> {
    let mut live: SecondaryMap<LocationId, BTreeSet<VarId>> = SecondaryMap::new();
    let mut work: Vec<LocationId> = within.iter().copied().collect();
    let mut queued: FxHashSet<LocationId> = work.iter().copied().collect();
    while let Some(at) = work.pop() {
        queued.remove(&at);
        let mut now = BTreeSet::new();
        for &edge in &flow.locations[at].out {
            let edge = &flow.edges[edge];
            if !within.contains(&edge.to) {
                continue;
            }
            now.extend(terms.variables(&edge.guard));
            let after = &live[edge.to];
            for &var in after {
                match edge.assign.iter().find(|(assigned, _)| *assigned == var) {
                    Some(&(_, term)) => now.extend(terms.variables(&[term])),
                    None => {
                        now.insert(var);
                    }
                }
            }
        }
        now.retain(|&var| flow.is_state(var));
        if now != live[at] {
            live[at] = now;
            for &edge in &flow.locations[at].into {
                let from = flow.edges[edge].from;
                if within.contains(&from) && queued.insert(from) {
                    work.push(from);
                }
            }
        }
    }
    live
}
