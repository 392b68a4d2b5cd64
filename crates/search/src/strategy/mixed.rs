//! Mixed: several strategies in turn, more of what helped lately.
//!
//! Our own. No strategy is best on all programs: where the nearest open branch is only a matter of the right decision,
//! `shortest` has it at once; where it depends on what a loop counted, `novelty` does; any order that follows a plan can be
//! led astray, and a random decision of the last path cannot. So each is asked in turn, as a rule the one that covered most
//! for its flips, as in the multi-armed bandits of adaptive fuzzers; what was long ago counts less and less, and as long as
//! nothing is covered `novelty` has every second turn or so. All of them see every run, so that each builds on what the
//! others found, and none may flip what nothing open lies behind.

use std::rc::Rc;

use covenant_concolic::tree::NodeId;
use covenant_constraints::random::Rng;
use rustc_hash::{FxHashMap, FxHashSet};

use super::expectation::Expectation;
use super::near::Near;
use super::novelty::Novelty;
use super::random::Random;
use super::shortest::Shortest;
use super::suffix::Worth;
use super::{Next, Profile, Ran, Strategy, View, Way};
use crate::cfg::Cfg;
use crate::cfg::Edge;

pub(super) const PROFILE: Profile = Profile {
    about: "several of these by turns, as they prove useful; a good guess",
    needs_cfg: true,
    is_exhaustive: true,
    make: |start| Box::new(Mixed::new(start.cfg, start.open, start.rng)),
};

/// The last, which knows only ways near open branches.
const NEAR: usize = 4; // not tuning: a place

#[derive(Debug)]
pub(super) struct Mixed {
    arms: Vec<Arm>,
    last: usize,
    flips: u32,
    /// Those that were not named so far.
    ways: FxHashMap<NodeId, Way>,
    worth: Worth,
}

#[derive(Debug)]
struct Arm {
    strategy: Box<dyn Strategy>,
    /// What it is thought to gain before it is known.
    prior: f64,
    gain: f64,
    cost: f64,
}

impl Mixed {
    pub(super) fn new(cfg: Rc<Cfg>, open: &FxHashSet<Edge>, mut rng: Rng) -> Mixed {
        let mut fork = || Rng::new(rng.next());
        let arm = |strategy: Box<dyn Strategy>, prior| Arm { strategy, prior, gain: 0.0, cost: 0.0 };
        let arms = vec![
            arm(Box::new(Shortest::new(Rc::clone(&cfg), open, fork())), 1.0),
            arm(Box::new(Novelty::new(Rc::clone(&cfg), open, fork())), 2.0),
            arm(Box::new(Random::new(fork())), 1.0),
            arm(Box::new(Expectation::new(Rc::clone(&cfg), open, fork())), 1.0),
            arm(Box::new(Near::new(fork())), 1.0),
        ];
        Mixed { arms, last: 0, flips: 0, ways: FxHashMap::default(), worth: Worth::new(cfg, open) }
    }

    /// The one of the first of them that gained most for its cost; at first each has the benefit of the doubt.
    fn best(&self, among: usize) -> usize {
        let worth = |arm: &Arm| (arm.gain + arm.prior) / (arm.cost + 1.0);
        let mut best = 0;
        for (i, arm) in self.arms.iter().take(among).enumerate() {
            if worth(arm) > worth(&self.arms[best]) {
                best = i;
            }
        }
        best
    }
}

impl Strategy for Mixed {
    fn ran(&mut self, run: &Ran<'_>, view: &View<'_>) {
        self.ways.extend(run.fresh.iter().map(|way| (way.id, *way)));
        for arm in &mut self.arms {
            arm.strategy.ran(run, view);
        }
    }

    fn cannot(&mut self, id: NodeId) {
        for arm in &mut self.arms {
            arm.strategy.cannot(id);
        }
    }

    fn closed(&mut self, edges: &[Edge]) {
        self.worth.close(edges);
        self.arms[self.last].gain += edges.len() as f64;
        for arm in &mut self.arms {
            arm.strategy.closed(edges);
        }
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        self.flips += 1;
        if self.flips.is_multiple_of(view.tuning.mixed_memory) {
            for arm in &mut self.arms {
                arm.gain /= 2.0;
                arm.cost /= 2.0;
            }
        }
        let mut among = self.arms.len();
        loop {
            self.last = self.best(among);
            loop {
                let next = self.arms[self.last].strategy.next(view);
                let Next::Flip(id) = next else {
                    // Each of the others knows all ways, so that what one has done with, all have.
                    if self.last != NEAR {
                        return next;
                    }
                    among = NEAR;
                    break;
                };
                // Another may have named it, and some do not look ahead.
                if self.ways.remove(&id).is_some_and(|way| self.worth.may_help(&way, view)) {
                    self.arms[self.last].cost += 1.0;
                    return next;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::StrategyKind;
    use super::super::testing::*;
    use super::*;

    #[test]
    fn what_gains_is_asked_again() {
        let cfg = Rc::new(Cfg::by_hand(3, &[(0, 1), (0, 2)]));
        let open = [(0, 1, 0), (0, 2, 0)].into_iter().collect();
        let mut mixed = Mixed::new(cfg, &open, Rng::new(1));
        assert_eq!(mixed.best(5), 1, "it has the benefit of the doubt");
        mixed.arms[1].cost = 3.0;
        assert_eq!(mixed.best(5), 0);
        mixed.last = 1;
        mixed.closed(&[(0, 1, 0)]);
        mixed.closed(&[(0, 2, 0)]);
        for arm in [0, 2, 3, 4] {
            mixed.arms[arm].cost = 1.0;
        }
        assert_eq!(mixed.best(5), 1, "two gains in three flips are more than none in one");
    }

    #[test]
    fn small_programs_need_no_hope() {
        assert_eq!(explore(nested, StrategyKind::Mixed, 1).flips, [1, 2, 3, 4]);
    }
}
