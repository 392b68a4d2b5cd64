//! Expectation: the way behind which most open branches are to be expected.
//!
//! Dong, Yan, Zhang and Zeng, "A search strategy guided by uncovered branches for concolic testing": a test that covers
//! many open branches at once is worth more than one that covers the nearest. [`Weights`] has their rules. A branch of a
//! loop comes up many times with the same weight; the n-th of these weighs an n-th, so that others have their turn. A branch
//! that turned out to be unsatisfiable on all known prefixes weighs nothing until another prefix is found.
//!
//! The authors look along one path and start anew when that fails, and say that a global search would do better. Here all
//! ways of all paths wait in one queue. Once a try has covered something new, its branch counts from one again. Theirs does so
//! with each path, since their queue is that of one path; in one queue for all, that was no better: fewer runs on three of
//! eight subjects, more on five.

use std::collections::BinaryHeap;
use std::rc::Rc;

use covenant_concolic::tree::NodeId;
use covenant_constraints::random::Rng;
use rustc_hash::{FxHashMap, FxHashSet};

use super::bags::{Bags, Place};
use super::suffix::Worth;
use super::weights::Weights;
use super::{Next, Profile, Ran, Strategy, View};
use crate::cfg::Edge;
use crate::cfg::{Cfg, PointId};

pub(super) const PROFILE: Profile = Profile {
    about: "most open branches to be expected; few tests",
    needs_cfg: true,
    is_exhaustive: true,
    make: |start| Box::new(Expectation::new(start.cfg, start.open, start.rng)),
};

/// What is left of a weight where a run as a rule ends: at a check that fails.
const CHECK: f64 = 0.1; // not tuning: a strategy that others are compared with

#[derive(Debug)]
pub(super) struct Expectation {
    weights: Weights,
    worth: Worth,
    bags: Bags,
    /// By weight, then by lot. An entry counts only if its number is the last that its place was given.
    queue: BinaryHeap<(Weight, u64, u64, Place)>,
    numbers: FxHashMap<Place, u64>,
    number: u64,
    /// Tries of a place since one of them covered something new.
    tries: FxHashMap<Place, u32>,
    last: Option<(NodeId, Place)>,
    rng: Rng,
}

/// A weight in an order; weights are never NaN.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Weight(f64);

impl Eq for Weight {}

impl PartialOrd for Weight {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Weight {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Expectation {
    pub(super) fn new(cfg: Rc<Cfg>, open: &FxHashSet<Edge>, rng: Rng) -> Expectation {
        Expectation {
            weights: Weights::new(Rc::clone(&cfg), open),
            worth: Worth::new(cfg, open),
            bags: Bags::default(),
            queue: BinaryHeap::new(),
            numbers: FxHashMap::default(),
            number: 0,
            tries: FxHashMap::default(),
            last: None,
            rng,
        }
    }

    fn weight(&self, place: Place) -> f64 {
        let weight = match place {
            Place::To(point) | Place::After(point) => self.weights.get(point),
            Place::Beside(point) => CHECK * self.weights.get(point),
        };
        weight / f64::from(1 + self.tries.get(&place).copied().unwrap_or(0))
    }

    fn push(&mut self, place: Place) {
        if self.bags.is_empty(place) {
            return;
        }
        self.number += 1;
        self.numbers.insert(place, self.number);
        let entry = (Weight(self.weight(place)), self.rng.next(), self.number, place);
        self.queue.push(entry);
    }

    fn changed(&mut self, points: &[PointId]) {
        for &point in points {
            for place in [Place::To(point), Place::After(point), Place::Beside(point)] {
                self.push(place);
            }
        }
    }
}

impl Strategy for Expectation {
    fn ran(&mut self, run: &Ran<'_>, _: &View<'_>) {
        for &way in run.fresh {
            let was_empty = self.bags.is_empty(Place::of(&way));
            let place = self.bags.add(way);
            if was_empty {
                self.push(place);
            }
            if let Place::To(point) = place
                && self.weights.is_dead(point)
            {
                let points = self.weights.set_dead(point, false);
                self.changed(&points);
            }
        }
    }

    fn cannot(&mut self, id: NodeId) {
        if let Some((last, place)) = self.last
            && last == id
            && let Place::To(point) = place
            && self.bags.is_empty(place)
        {
            let points = self.weights.set_dead(point, true);
            self.changed(&points);
        }
    }

    fn closed(&mut self, edges: &[Edge]) {
        self.worth.close(edges);
        let points = self.weights.close(edges);
        if let Some((_, place)) = self.last {
            self.tries.remove(&place);
            self.push(place);
        }
        self.changed(&points);
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        while let Some((_, _, number, place)) = self.queue.pop() {
            if self.numbers.get(&place) != Some(&number) {
                continue;
            }
            let Some(way) = self.bags.take(place, &mut self.rng, view) else { continue };
            if !self.worth.may_help(&way, view) {
                self.push(place);
                continue;
            }
            *self.tries.entry(place).or_insert(0) += 1;
            self.push(place);
            self.last = Some((way.id, place));
            return Next::Flip(way.id);
        }
        Next::Done
    }
}

#[cfg(test)]
mod tests {
    use covenant_concolic::tree::Tree;

    use super::super::testing::*;
    use super::super::{StrategyKind, Way};
    use super::*;

    #[test]
    fn the_side_that_promises_most_comes_first() {
        // Each side of a decision promises as much as the other, and the first decision has most behind it.
        assert_eq!(explore(chain, StrategyKind::Expectation, 1).flips, [1, 2, 3, 4]);
        assert_eq!(explore(nested, StrategyKind::Expectation, 1).flips, [1, 2, 3, 4]);
    }

    #[test]
    fn repeated_tries_of_a_branch_weigh_less() {
        let cfg = Rc::new(Cfg::by_hand(3, &[(0, 1), (0, 2)]));
        let open = [(0, 1, 0), (0, 2, 0)].into_iter().collect();
        let mut strategy = Expectation::new(cfg, &open, Rng::new(1));
        let place = Place::To(PointId(1));
        assert_eq!(strategy.weight(place), 1.0);
        strategy.tries.insert(place, 2);
        assert_eq!(strategy.weight(place), 1.0 / 3.0);
        let way = Way { id: Tree::ROOT, edge: None, point: Some(PointId(1)), before: PointId::START, steers: true };
        strategy.last = Some((way.id, place));
        strategy.closed(&[(0, 2, 0)]);
        assert_eq!(strategy.weight(place), 1.0, "the try covered something new");
        strategy.cannot(way.id);
        assert_eq!(strategy.weight(place), 0.0, "no known prefix can be taken");
    }
}
