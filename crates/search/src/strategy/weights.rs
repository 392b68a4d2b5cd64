//! How many open branches are to be expected behind a branch.
//!
//! Dong, Yan, Zhang and Zeng, "A search strategy guided by uncovered branches for concolic testing": if each branch that
//! comes next is equally likely, then the expectation of a branch is the mean of theirs, and one more if it is open itself.
//! Where all that comes next weighs the same, a covered branch weighs a little less than that, so that of two branches the
//! one nearer to what is open wins.
//!
//! On a cycle this would not be well-founded. The weights are those of a depth-first walk from the start: a branch whose
//! weight is waited for counts as 1 if it is open and as 0 if not. Which branches are waited for at which others depends on
//! the graph alone, so that when something closes, only what leads to it without such a wait has to be computed again, and
//! the result is the same as from a walk anew.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::cfg::Edge;
use crate::cfg::{Cfg, PointId};

/// What a covered branch keeps of the weight of what follows it, where all of that weighs the same.
pub(super) const ALPHA: f64 = 0.75; // not tuning: a strategy that others are compared with

#[derive(Debug)]
pub(super) struct Weights {
    cfg: Rc<Cfg>,
    open: Vec<bool>,
    /// No known prefix of it can be taken.
    dead: Vec<bool>,
    weight: Vec<f64>,
    /// When the walk was through with a point: later than with all that it did not wait for.
    rank: Vec<u32>,
}

impl Weights {
    pub(super) fn new(cfg: Rc<Cfg>, open: &FxHashSet<Edge>) -> Weights {
        let is_open = |point: PointId| cfg.edge(point).is_some_and(|edge| open.contains(&edge));
        let open: Vec<bool> = cfg.points().map(is_open).collect();
        let order = walk(&cfg);
        let mut rank = vec![0; cfg.len()];
        for (i, point) in order.iter().enumerate() {
            rank[point.index()] = i as u32;
        }
        let count = cfg.len();
        let mut weights = Weights { cfg, open, dead: vec![false; count], weight: vec![0.0; count], rank };
        for point in order {
            weights.weight[point.index()] = weights.compute(point);
        }
        weights
    }

    pub(super) fn get(&self, point: PointId) -> f64 {
        self.weight[point.index()]
    }

    /// Edges are open no more; the points whose weight is another now.
    pub(super) fn close(&mut self, edges: &[Edge]) -> Vec<PointId> {
        let cfg = Rc::clone(&self.cfg);
        let closed = edges.iter().flat_map(|&edge| cfg.all(edge)).copied();
        let closed: Vec<PointId> = closed.filter(|p| std::mem::replace(&mut self.open[p.index()], false)).collect();
        self.update(&closed)
    }

    /// Says whether the known prefixes of a point all failed; the points whose weight is another now.
    pub(super) fn set_dead(&mut self, point: PointId, dead: bool) -> Vec<PointId> {
        if std::mem::replace(&mut self.dead[point.index()], dead) == dead { Vec::new() } else { self.update(&[point]) }
    }

    pub(super) fn is_dead(&self, point: PointId) -> bool {
        self.dead[point.index()]
    }

    /// What a point is to one that does not wait for its weight.
    fn alone(&self, point: PointId) -> f64 {
        f64::from(u8::from(self.open[point.index()] && !self.dead[point.index()]))
    }

    /// Whether `point` was not through when the walk looked at it from `from`.
    fn is_waited_for(&self, from: PointId, point: PointId) -> bool {
        self.rank[point.index()] >= self.rank[from.index()]
    }

    fn compute(&self, point: PointId) -> f64 {
        let (open, next) = (self.open[point.index()], self.cfg.next(point));
        if self.dead[point.index()] {
            return 0.0;
        }
        if next.is_empty() {
            return self.alone(point);
        }
        let weight = |to: PointId| if self.is_waited_for(point, to) { self.alone(to) } else { self.get(to) };
        let (mut sum, mut alike) = (0.0, true);
        let first = weight(next[0]);
        for &to in next {
            let this = weight(to);
            sum += this;
            alike &= this == first;
        }
        let mean = sum / next.len() as f64;
        match (open, alike) {
            (true, _) => mean + 1.0,
            (false, true) => ALPHA * first,
            (false, false) => mean,
        }
    }

    fn update(&mut self, points: &[PointId]) -> Vec<PointId> {
        let mut work: BinaryHeap<Reverse<(u32, PointId)>> = BinaryHeap::new();
        let entry = |weights: &Weights, point: PointId| Reverse((weights.rank[point.index()], point));
        for &point in points {
            work.push(entry(self, point));
            let waiting = self.cfg.before(point).iter().filter(|&&from| self.is_waited_for(from, point));
            work.extend(waiting.map(|&from| entry(self, from)));
        }
        let mut changed = Vec::new();
        let mut last = None;
        while let Some(Reverse((_, point))) = work.pop() {
            if last.replace(point) == Some(point) {
                continue;
            }
            let weight = self.compute(point);
            if weight == self.weight[point.index()] {
                continue;
            }
            self.weight[point.index()] = weight;
            changed.push(point);
            let users = self.cfg.before(point).iter().filter(|&&from| !self.is_waited_for(from, point));
            work.extend(users.map(|&from| entry(self, from)));
        }
        changed
    }
}

/// All points in the order in which a depth-first walk is through with them.
fn walk(cfg: &Cfg) -> Vec<PointId> {
    let mut order = Vec::with_capacity(cfg.len());
    let mut seen = vec![false; cfg.len()];
    for root in cfg.points() {
        let mut stack: Vec<(PointId, usize)> = Vec::new();
        if !std::mem::replace(&mut seen[root.index()], true) {
            stack.push((root, 0));
        }
        while let Some((point, at)) = stack.pop() {
            match cfg.next(point).get(at) {
                Some(&to) => {
                    stack.push((point, at + 1));
                    if !std::mem::replace(&mut seen[to.index()], true) {
                        stack.push((to, 0));
                    }
                }
                None => order.push(point),
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use covenant_constraints::random::Rng;

    use super::*;

    fn weights(points: u32, edges: &[(u32, u32)], open: &[u32]) -> Weights {
        let open = open.iter().map(|&point| (0, point, 0)).collect();
        Weights::new(Rc::new(Cfg::by_hand(points, edges)), &open)
    }

    fn all(weights: &Weights) -> Vec<f64> {
        weights.cfg.points().map(|point| weights.get(point)).collect()
    }

    #[test]
    fn the_three_rules() {
        // 0 → 1, 2; 1 → 3, 4; 2 → 5; open: 3, 4, 5
        let edges = [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5)];
        let weights = weights(6, &edges, &[1, 3, 5]);
        assert_eq!(all(&weights), [1.125, 1.5, 0.75, 1.0, 0.0, 1.0]);
    }

    #[test]
    fn a_branch_that_is_waited_for_counts_by_itself() {
        // A loop 1 → 2 → 1 with an exit 3, all of it open.
        let weights = weights(4, &[(0, 1), (1, 2), (2, 1), (2, 3)], &[1, 2, 3]);
        assert_eq!(all(&weights), [0.75 * 3.0, 3.0, 2.0, 1.0]);
    }

    #[test]
    fn what_cannot_be_taken_weighs_nothing() {
        let mut weights = weights(3, &[(0, 1), (1, 2)], &[2]);
        assert_eq!(all(&weights), [0.5625, 0.75, 1.0]);
        assert_eq!(weights.set_dead(PointId(2), true).len(), 3);
        assert_eq!(all(&weights), [0.0; 3]);
        assert!(weights.set_dead(PointId(2), true).is_empty());
        weights.set_dead(PointId(2), false);
        assert_eq!(all(&weights), [0.5625, 0.75, 1.0]);
    }

    #[test]
    fn updates_give_what_a_walk_anew_gives() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let points = 2 + rng.below(30) as u32;
            let mut edges: Vec<(u32, u32)> = (1..points).map(|to| (rng.below(to as usize) as u32, to)).collect();
            for _ in 0..rng.below(40) {
                edges.push((rng.below(points as usize) as u32, 1 + rng.below(points as usize - 1) as u32));
            }
            let mut open: Vec<u32> = (1..points).filter(|_| rng.chance(60)).collect();
            let mut updated = weights(points, &edges, &open);
            while let Some(point) = open.pop() {
                updated.close(&[(0, point, 0)]);
                let anew = weights(points, &edges, &open);
                assert_eq!(all(&updated), all(&anew), "seed {seed}");
            }
        }
    }
}
