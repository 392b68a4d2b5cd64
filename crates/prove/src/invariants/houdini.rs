//! The largest part of a set of conditions that is inductive: whatever an edge does not preserve is dropped, until all
//! edges preserve all that is left. The name is that of the annotation assistant of Flanagan and Leino.
//!
//! An edge is looked at again only if something that its last proof used has been dropped.

use std::collections::BTreeSet;

use covenant_constraints::{TermId, Terms};
use covenant_transition::flow::{EdgeId, LocationId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::entail::entail;
use super::oracle::Oracle;
use super::shapes::Shapes;
use super::slice::Slice;
use super::walk::{Candidates, Conditions};

/// Drops candidates until they are inductive together with `fixed`, which is so by itself. `places` are the locations with
/// candidates. Without answers of the solver more are dropped, never fewer.
pub(super) fn make_inductive(
    slice: &Slice<'_>,
    terms: &mut Terms,
    shapes: &mut Shapes,
    oracle: &mut Oracle<'_>,
    fixed: &Conditions,
    candidates: &mut Candidates,
    places: &[LocationId],
) {
    let place = |e: EdgeId| {
        let edge = &slice.flow.edges[e];
        (slice.order.position(edge.to).unwrap_or(usize::MAX), e)
    };
    candidates.remove(&slice.flow.root);
    let mut pending: BTreeSet<(usize, EdgeId)> =
        places.iter().flat_map(|l| slice.edges_into(*l)).map(|(e, _)| place(e)).collect();
    let mut needs: FxHashMap<EdgeId, FxHashSet<TermId>> = FxHashMap::default();
    while let Some((_, e)) = pending.pop_first() {
        let edge = &slice.flow.edges[e];
        let Some(goals) = candidates.get(&edge.to).filter(|c| !c.is_empty()) else { continue };
        let mut known = fixed[edge.from].clone();
        known.extend(candidates.get(&edge.from).into_iter().flatten());
        let result = entail(terms, shapes, oracle, edge, &known, goals);
        needs.insert(e, result.needs);
        if result.failed.is_empty() {
            continue;
        }
        let failed: FxHashSet<TermId> = result.failed.into_iter().collect();
        candidates.entry(edge.to).or_default().retain(|c| !failed.contains(c));
        for &next in &slice.flow.locations[edge.to].out {
            let relies = needs.get(&next).is_some_and(|n| n.iter().any(|c| failed.contains(c)));
            if relies && slice.order.contains(slice.flow.edges[next].to) {
                pending.insert(place(next));
            }
        }
    }
}
