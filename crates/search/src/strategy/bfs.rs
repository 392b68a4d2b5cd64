//! Breadth first: the way with the fewest decisions before it.
//!
//! The classic counterpart of depth first, among the strategies that Burnim and Sen's CREST and its successors are compared
//! with. Fair to all parts of the tree, and never lost in a loop; what lies deep comes late.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use covenant_concolic::tree::NodeId;

use super::suffix::is_left;
use super::{Next, Profile, Ran, Strategy, View};

pub(super) const PROFILE: Profile = Profile {
    about: "the first decision first; branches behind few decisions",
    needs_cfg: false,
    is_exhaustive: true,
    make: |_| Box::new(Bfs::default()),
};

#[derive(Debug, Default)]
pub(super) struct Bfs {
    /// By depth, then by age: nodes are numbered in the order in which they were found.
    heap: BinaryHeap<Reverse<(u32, NodeId)>>,
}

impl Strategy for Bfs {
    fn ran(&mut self, run: &Ran<'_>, view: &View<'_>) {
        self.heap.extend(run.fresh.iter().map(|way| Reverse((view.tree.node(way.id).depth, way.id))));
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        while let Some(Reverse((_, id))) = self.heap.pop() {
            if is_left(view, id) {
                return Next::Flip(id);
            }
        }
        Next::Done
    }
}

#[cfg(test)]
mod tests {
    use super::super::StrategyKind;
    use super::super::testing::*;

    #[test]
    fn the_first_decisions_of_all_paths_come_first() {
        let log = explore(contradiction, StrategyKind::Bfs, 1);
        assert_eq!(log.flips[..3], [1, 3, 2]);
        assert_eq!(log.runs.len(), 16);
    }
}
