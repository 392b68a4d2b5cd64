//! Uniform random: a random path, decision by decision.
//!
//! The uniform random search of Burnim and Sen (ASE 2008), which KLEE knows as the random path searcher: from the start of
//! the program a side of each decision is drawn by lot, until the lot falls on one that no run has taken. Unlike a random
//! decision of a path, this does not favour the many decisions deep inside of loops.

use covenant_constraints::random::Rng;
use rustc_hash::FxHashSet;

use super::{Next, Ran, Strategy, View};
use crate::campaign::tree::{NodeId, State, Tree};

#[derive(Debug)]
pub(super) struct UniformRandom {
    rng: Rng,
    done: Exhausted,
}

/// Parts of the tree in which nothing is left.
#[derive(Debug, Default)]
pub(super) struct Exhausted {
    nodes: FxHashSet<NodeId>,
}

impl Exhausted {
    /// A run came by: what is above the ways that it found is not exhausted.
    pub(super) fn revive(&mut self, run: &Ran<'_>) {
        if !run.fresh.is_empty() && !self.nodes.is_empty() {
            self.nodes.remove(&Tree::ROOT);
            for id in run.path {
                self.nodes.remove(id);
            }
        }
    }

    /// Nothing is to be found there.
    pub(super) fn pass(&mut self, id: NodeId) {
        self.nodes.insert(id);
    }

    /// The sides of a decision that are worth going to.
    pub(super) fn sides(&self, tree: &Tree, at: NodeId) -> Vec<NodeId> {
        let is_left = |id: &NodeId| match tree.node(*id).state {
            State::Open | State::Explored => !self.nodes.contains(id),
            _ => false,
        };
        tree.node(at).children().iter().copied().filter(is_left).collect()
    }

    /// Goes down from the start, taking the side that `choose` names, to a way that no run has taken.
    pub(super) fn descend(&mut self, tree: &Tree, mut choose: impl FnMut(&[NodeId]) -> NodeId) -> Option<NodeId> {
        let mut at = Tree::ROOT;
        loop {
            let sides = self.sides(tree, at);
            if sides.is_empty() {
                self.nodes.insert(at);
                at = tree.node(at).parent?;
                continue;
            }
            at = choose(&sides);
            if tree.node(at).state == State::Open {
                return Some(at);
            }
        }
    }
}

impl UniformRandom {
    pub(super) fn new(rng: Rng) -> UniformRandom {
        UniformRandom { rng, done: Exhausted::default() }
    }
}

impl Strategy for UniformRandom {
    fn ran(&mut self, run: &Ran<'_>, _: &View<'_>) {
        self.done.revive(run);
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        let rng = &mut self.rng;
        self.done.descend(view.tree, |sides| rng.pick(sides)).map_or(Next::Done, Next::Flip)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Explorer;
    use super::super::testing::*;

    #[test]
    fn sides_are_drawn_from_the_start() {
        // Half of all lots fall on the first decision, though the path has four.
        let first = (0..200).filter(|&seed| explore(chain, Explorer::UniformRandom, seed).flips[0] == 1).count();
        assert!((70..130).contains(&first), "{first}");
    }
}
