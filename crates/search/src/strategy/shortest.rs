//! Shortest: the way that is nearest to an open branch.
//!
//! The control-flow directed search of Burnim and Sen (ASE 2008): the distance of a way is the number of branches between
//! it and the nearest open one on the interprocedural control-flow graph, feasible or not; the smallest distance is tried
//! first, lots decide among equals. Theirs looks along one path and starts anew when that leads nowhere (`shortest_local`).
//! This one chooses among the ways of all paths, and in place of a new start takes a random one when nothing new was covered
//! for a while.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use covenant_concolic::tree::Tree;
use covenant_constraints::random::Rng;
use rustc_hash::FxHashSet;

use super::bags::{Bags, Place};
use super::reach::{NEVER, Reach};
use super::{Next, Profile, Ran, Strategy, View, Way};
use crate::cfg::Cfg;
use crate::cfg::Edge;

pub(super) const PROFILE: Profile = Profile {
    about: "nearest to an open branch; few solver calls",
    needs_cfg: true,
    is_exhaustive: true,
    make: |start| Box::new(Shortest::new(start.cfg, start.open, start.rng)),
};

#[derive(Debug)]
pub(super) struct Shortest {
    reach: Reach,
    bags: Bags,
    /// By distance, with a lot for each. Distances only grow: one that is too small is corrected when it comes up.
    heap: BinaryHeap<Reverse<(u32, u64, Place)>>,
    rng: Rng,
    fruitless: u32,
}

impl Shortest {
    pub(super) fn new(cfg: Rc<Cfg>, open: &FxHashSet<Edge>, rng: Rng) -> Shortest {
        Shortest { reach: Reach::new(cfg, open), bags: Bags::default(), heap: BinaryHeap::new(), rng, fruitless: 0 }
    }

    fn distance(&mut self, place: Place) -> u32 {
        let way = |before, point| Way { id: Tree::ROOT, edge: None, point, before, steers: true };
        match place {
            Place::To(point) => self.reach.distance(point),
            Place::After(before) => self.reach.behind(&way(before, None)),
            // Behind all that is connected, since a run that fails a check hardly ever goes on.
            Place::Beside(before) => match self.reach.behind(&way(before, None)) {
                NEVER => NEVER,
                _ => NEVER - 1,
            },
        }
    }

    fn push(&mut self, place: Place) {
        let distance = self.distance(place);
        if distance != NEVER {
            let lot = self.rng.next();
            self.heap.push(Reverse((distance, lot, place)));
        }
    }

    fn random(&mut self, view: &View<'_>) -> Option<Way> {
        let mut places = self.bags.places();
        while !places.is_empty() {
            let place = places.swap_remove(self.rng.below(places.len()));
            if self.distance(place) != NEVER
                && let Some(way) = self.bags.take(place, &mut self.rng, view)
            {
                return Some(way);
            }
        }
        None
    }
}

impl Strategy for Shortest {
    fn ran(&mut self, run: &Ran<'_>, _: &View<'_>) {
        for &way in run.fresh {
            let was_empty = self.bags.is_empty(Place::of(&way));
            let place = self.bags.add(way);
            if was_empty {
                self.push(place);
            }
        }
    }

    fn closed(&mut self, edges: &[Edge]) {
        self.reach.close(edges);
        self.fruitless = 0;
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        self.fruitless += 1;
        if self.fruitless > view.tuning.shortest_patience {
            self.fruitless = 0;
            if let Some(way) = self.random(view) {
                return Next::Flip(way.id);
            }
        }
        while let Some(Reverse((distance, _, place))) = self.heap.pop() {
            let now = self.distance(place);
            if now != distance {
                self.push(place);
                continue;
            }
            if let Some(way) = self.bags.take(place, &mut self.rng, view) {
                self.push(place);
                return Next::Flip(way.id);
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
    fn the_nearest_open_branch_is_gone_for() {
        assert_eq!(explore(nested, StrategyKind::Shortest, 1).flips, [1, 2, 3, 4]);
        let log = explore(contradiction, StrategyKind::Shortest, 1);
        assert_eq!(log.hopeful, 0, "all that is not open is too far: {log:?}");
    }
}
