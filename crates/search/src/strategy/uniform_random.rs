//! Uniform random: a random path, decision by decision.
//!
//! The uniform random search of Burnim and Sen (ASE 2008), which KLEE knows as the random path searcher: from the start of
//! the program a side of each decision is drawn by lot, until the lot falls on one that no run has taken. Unlike a random
//! decision of a path, this does not favour the many decisions deep inside of loops.

use covenant_concolic::tree::{NodeId, State, Tree};
use covenant_constraints::random::Rng;
use rustc_hash::FxHashSet;

use super::{Next, Profile, Ran, Strategy, View};

pub(super) const PROFILE: Profile = Profile {
    about: "a random path, side by side; fair where loops are deep",
    needs_cfg: false,
    is_exhaustive: true,
    make: |start| Box::new(UniformRandom::new(start.rng)),
};

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
        if run.path.is_empty() {
            // Ways that had to wait: they are anywhere.
            self.nodes.clear();
            return;
        }
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

    /// Goes down from the start, taking the side that `choose` names, to a way that no run has taken.
    pub(super) fn descend(&mut self, view: &View<'_>, mut choose: impl FnMut(&[NodeId]) -> NodeId) -> Option<NodeId> {
        let mut at = Tree::ROOT;
        let mut sides: Vec<NodeId> = Vec::new();
        loop {
            sides.clear();
            sides.extend(view.tree.node(at).children().iter().filter(|&&id| self.is_worth_it(view, id)));
            match sides[..] {
                [] => {
                    self.nodes.insert(at);
                    at = view.tree.node(at).parent?;
                    continue;
                }
                [only] => at = only,
                _ => at = choose(&sides),
            }
            if view.tree.node(at).state == State::Open {
                return Some(at);
            }
        }
    }

    fn is_worth_it(&self, view: &View<'_>, id: NodeId) -> bool {
        let node = view.tree.node(id);
        match node.state {
            State::Open => node.depth <= view.deepest && !self.nodes.contains(&id),
            State::Explored => !self.nodes.contains(&id),
            _ => false,
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
        self.done.descend(view, |sides| rng.pick(sides)).map_or(Next::Done, Next::Flip)
    }
}

#[cfg(test)]
mod tests {
    use super::super::StrategyKind;
    use super::super::testing::*;

    #[test]
    fn sides_are_drawn_from_the_start() {
        // Half of all lots fall on the first decision, though the path has four.
        let first = (0..200).filter(|&seed| explore(chain, StrategyKind::UniformRandom, seed).flips[0] == 1).count();
        assert!((70..130).contains(&first), "{first}");
    }
}
