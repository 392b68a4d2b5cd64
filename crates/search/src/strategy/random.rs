//! Random: a random decision of the current path is flipped.
//!
//! The random branch search of Burnim and Sen ("Heuristics for scalable dynamic test generation", ASE 2008), the baseline
//! of the later comparisons: no heuristic at all, yet hard to lure into a corner. The current path is that of the last run;
//! when nothing of it is left, the search restarts at a random way of all. Unlike CREST's it never tries a prefix twice,
//! and so it ends.

use covenant_concolic::tree::NodeId;
use covenant_constraints::random::Rng;

use super::suffix::is_left;
use super::{Next, Profile, Ran, Strategy, View};

pub(super) const PROFILE: Profile = Profile {
    about: "a random decision of the last path; hard to mislead",
    needs_cfg: false,
    is_exhaustive: true,
    make: |start| Box::new(Random::new(start.rng)),
};

#[derive(Debug)]
pub(super) struct Random {
    rng: Rng,
    /// Ways beside the last path.
    current: Vec<NodeId>,
    all: Vec<NodeId>,
}

impl Random {
    pub(super) fn new(rng: Rng) -> Random {
        Random { rng, current: Vec::new(), all: Vec::new() }
    }
}

impl Strategy for Random {
    fn ran(&mut self, run: &Ran<'_>, view: &View<'_>) {
        self.all.extend(run.fresh.iter().map(|way| way.id));
        self.current.clear();
        for &id in run.path {
            let Some(parent) = view.tree.node(id).parent else { continue };
            self.current.extend(view.tree.node(parent).children().iter().filter(|&&way| is_left(view, way)));
        }
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        for ways in [&mut self.current, &mut self.all] {
            while !ways.is_empty() {
                let id = ways.swap_remove(self.rng.below(ways.len()));
                if is_left(view, id) {
                    return Next::Flip(id);
                }
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
    fn seeds_matter_and_no_prefix_is_tried_twice() {
        let flips: Vec<_> = (0..8).map(|seed| explore(contradiction, StrategyKind::Random, seed).flips).collect();
        assert!(flips.iter().any(|other| *other != flips[0]));
        // 16 runs, all but the first by a flip, and the one flip that fails.
        assert!(flips.iter().all(|flips| flips.len() == 16), "{flips:?}");
    }
}
