//! Which branches decide whether a location is reached: control dependence by post-dominators.
//!
//! A location depends on a branch if one of its ways always leads there and another need not. What lies between a branch
//! and the place where its ways meet again depends on it; what comes after does not, however many loops are before.

use covenant_program::analysis::dominance::Tree;
use covenant_transition::flow::{Flow, LocationId};
use cranelift_entity::SecondaryMap;

use crate::order::Order;

/// Dependences in all. Beyond it everything counts as depending on everything.
const MAX_DEPENDENCES: usize = 4_000_000; // not tuning: memory

/// The end of all ways: behind the targets, and wherever a way leaves the slice.
const END: u32 = 0; // not tuning: a number that no location has

#[derive(Debug)]
pub(super) struct Control {
    /// The branches that a location depends on directly; empty if there are too many.
    on: Vec<Vec<LocationId>>,
    pub(super) complete: bool,
}

impl Control {
    pub(super) fn new(flow: &Flow, order: &Order, targets: &[LocationId]) -> Control {
        let graph = Graph::new(flow, order, targets);
        let parents = graph.post_dominators();
        let mut control = Control { on: vec![Vec::new(); graph.next.len()], complete: true };
        let mut total = 0;
        for (branch, ways) in graph.next.iter().enumerate().skip(1).filter(|(_, ways)| ways.len() > 1) {
            let location = order.sequence[branch - 1];
            for &way in ways {
                let mut at = way;
                while at != parents[branch] && at != END {
                    let here = &mut control.on[at as usize];
                    if here.last() != Some(&location) {
                        here.push(location);
                        total += 1;
                    }
                    at = parents[at as usize];
                }
                if total > MAX_DEPENDENCES {
                    control.complete = false;
                    return control;
                }
            }
        }
        control
    }

    /// The branches on which it directly depends whether the location is reached.
    pub(super) fn branches(&self, order: &Order, location: LocationId) -> &[LocationId] {
        order.position(location).map_or(&[], |p| &self.on[p + 1])
    }
}

/// Nodes are positions of the order plus one; 0 is the end.
struct Graph {
    next: Vec<Vec<u32>>,
}

impl Graph {
    fn new(flow: &Flow, order: &Order, targets: &[LocationId]) -> Graph {
        let mut is_target: SecondaryMap<LocationId, bool> = SecondaryMap::new();
        for &target in targets {
            is_target[target] = true;
        }
        let mut next = vec![Vec::new()];
        for &location in &order.sequence {
            let mut ways: Vec<u32> = Vec::new();
            let out = &flow.locations[location].out;
            for &e in out {
                ways.push(order.position(flow.edges[e].to).map_or(END, |p| p as u32 + 1));
            }
            // A condition without an alternative can fail, which ends the way too.
            let guarded = matches!(out[..], [e] if !flow.edges[e].guard.is_empty());
            if is_target[location] || guarded || ways.is_empty() {
                ways.push(END);
            }
            ways.sort_unstable();
            ways.dedup();
            next.push(ways);
        }
        Graph { next }
    }

    /// The parent of each node in the tree of post-dominators.
    fn post_dominators(&self) -> Vec<u32> {
        let backwards = (0..).zip(&self.next).flat_map(|(node, ways)| ways.iter().map(move |&way| (way, node)));
        let tree = Tree::new(self.next.len(), END, backwards);
        // What never comes to an end depends on nothing that matters.
        (0..self.next.len() as u32).map(|node| tree.parent(node).unwrap_or(END)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::backwards;

    #[test]
    fn what_meets_again_does_not_decide() {
        // 0 → 1 → {2, 3} → 4 ⇄ 5, 4 → 6 → {7 (the target), 8}.
        let mut flow = Flow::by_hand(0);
        let mut ids = vec![flow.root];
        ids.extend((1..9).map(|_| flow.add_location()));
        for (a, b) in [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 5), (5, 4), (4, 6), (6, 7), (6, 8)] {
            flow.add_edge(ids[a], ids[b], vec![], vec![]);
        }
        let order = Order::new(&flow, &backwards(&flow, &[ids[7]]));
        let control = Control::new(&flow, &order, &[ids[7]]);
        let on = |i: usize| control.branches(&order, ids[i]).to_vec();
        assert!(control.complete);
        assert_eq!(on(7), [ids[6]], "8 leaves the slice");
        assert_eq!(on(6), []);
        assert_eq!((on(2), on(3)), (vec![ids[1]], vec![ids[1]]));
        assert_eq!((on(4), on(5)), (vec![ids[4]], vec![ids[4]]), "the loop decides only how often it runs");
    }
}
