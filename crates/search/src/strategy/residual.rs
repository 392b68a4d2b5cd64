//! Residual: from the start, at each decision the side behind which most is open.
//!
//! After Dong, Lin, Yu, Zhou and Chen, "Achieving high branch coverage with fewer paths" (COMPSACW 2011): the residual of a
//! branch is the number of open branches that the control flow still has behind it. A path is built from its start: where
//! the other side of a decision has the larger residual, it is flipped, the program runs again, and the walk goes on from
//! there; a path that came to its end is not walked again. Sides with equal residuals keep the path as it is. The original
//! counts inside of one function; here calls are followed.

use covenant_concolic::tree::{NodeId, State};
use covenant_constraints::random::Rng;
use rustc_hash::{FxHashMap, FxHashSet};

use super::uniform_random::Exhausted;
use super::{Next, Profile, Ran, Strategy, View, Way};
use crate::cfg::Edge;
use crate::cfg::{Cfg, PointId};

pub(super) const PROFILE: Profile = Profile {
    about: "at each decision the side with most open behind it",
    needs_cfg: true,
    is_exhaustive: true,
    make: |start| Box::new(Residual::new(&start.cfg, start.open, start.rng)),
};

#[derive(Debug)]
pub(super) struct Residual {
    behind: Behind,
    done: Exhausted,
    /// Where nodes lead to.
    places: FxHashMap<NodeId, PointId>,
    rng: Rng,
}

/// For each point, how many of the edges that were open at first are open and can come at it or after it.
#[derive(Debug)]
struct Behind {
    /// Points of one cycle have the same behind them.
    component: Vec<u32>,
    /// For each component, a bit for each edge.
    sets: Vec<Vec<u64>>,
    open: Vec<u64>,
    bits: FxHashMap<Edge, usize>,
    counts: Vec<Option<u32>>,
}

impl Behind {
    fn new(cfg: &Cfg, open: &FxHashSet<Edge>) -> Behind {
        let mut edges: Vec<Edge> = open.iter().copied().collect();
        edges.sort_unstable();
        let bits: FxHashMap<Edge, usize> = edges.iter().enumerate().map(|(i, &edge)| (edge, i)).collect();
        let words = edges.len().div_ceil(64);
        let (component, count) = components(cfg);
        let mut sets = vec![vec![0u64; words]; count];
        // Components are numbered from those that nothing follows.
        let mut order: Vec<PointId> = cfg.points().collect();
        order.sort_by_key(|point| component[point.index()]);
        for point in order {
            let here = component[point.index()] as usize;
            if let Some(&bit) = cfg.edge(point).and_then(|edge| bits.get(&edge)) {
                sets[here][bit / 64] |= 1 << (bit % 64);
            }
            for next in cfg.next(point) {
                let there = component[next.index()] as usize;
                if there != here {
                    let (low, high) = sets.split_at_mut(here);
                    high[0].iter_mut().zip(&low[there]).for_each(|(a, b)| *a |= b);
                }
            }
        }
        let mut all = vec![u64::MAX; words];
        if let (Some(last), rest) = (all.last_mut(), edges.len() % 64)
            && rest != 0
        {
            *last = (1 << rest) - 1;
        }
        Behind { component, counts: vec![None; sets.len()], sets, open: all, bits }
    }

    fn close(&mut self, edges: &[Edge]) {
        for bit in edges.iter().filter_map(|edge| self.bits.get(edge)) {
            self.open[bit / 64] &= !(1 << (bit % 64));
        }
        self.counts.fill(None);
    }

    fn count(&mut self, point: PointId) -> u32 {
        let component = self.component[point.index()] as usize;
        let (set, open) = (&self.sets[component], &self.open);
        let count = || set.iter().zip(open).map(|(a, b)| (a & b).count_ones()).sum();
        *self.counts[component].get_or_insert_with(count)
    }
}

/// The strongly connected components, each with a larger number than those it leads to (Tarjan).
fn components(cfg: &Cfg) -> (Vec<u32>, usize) {
    const NEW: u32 = u32::MAX; // not tuning: a number that no point has
    let count = cfg.len();
    let (mut number, mut low, mut component) = (vec![NEW; count], vec![0; count], vec![NEW; count]);
    let (mut stack, mut next, mut found) = (Vec::new(), 0, 0);
    for root in cfg.points() {
        let mut calls: Vec<(PointId, usize)> = if number[root.index()] == NEW { vec![(root, 0)] } else { Vec::new() };
        while let Some((point, at)) = calls.pop() {
            let here = point.index();
            if at == 0 {
                (number[here], low[here]) = (next, next);
                next += 1;
                stack.push(point);
            }
            if let Some(to) = cfg.next(point).get(at) {
                calls.push((point, at + 1));
                if number[to.index()] == NEW {
                    calls.push((*to, 0));
                } else if component[to.index()] == NEW {
                    low[here] = low[here].min(number[to.index()]);
                }
                continue;
            }
            if low[here] == number[here] {
                while let Some(member) = stack.pop() {
                    component[member.index()] = found;
                    if member == point {
                        break;
                    }
                }
                found += 1;
            }
            if let Some((caller, _)) = calls.last() {
                low[caller.index()] = low[caller.index()].min(low[here]);
            }
        }
    }
    (component, found as usize)
}

impl Residual {
    pub(super) fn new(cfg: &Cfg, open: &FxHashSet<Edge>, rng: Rng) -> Residual {
        let behind = Behind::new(cfg, open);
        Residual { behind, done: Exhausted::default(), places: FxHashMap::default(), rng }
    }

    fn place(way: &Way) -> PointId {
        way.point.unwrap_or(way.before)
    }
}

impl Strategy for Residual {
    fn ran(&mut self, run: &Ran<'_>, _: &View<'_>) {
        self.done.revive(run);
        for way in run.fresh.iter().chain(run.taken) {
            self.places.insert(way.id, Residual::place(way));
        }
    }

    fn closed(&mut self, edges: &[Edge]) {
        self.behind.close(edges);
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        loop {
            let (behind, places, rng) = (&mut self.behind, &self.places, &mut self.rng);
            let mut residual = |id: NodeId| places.get(&id).map_or(0, |&point| behind.count(point));
            let mut best: Vec<NodeId> = Vec::new();
            let found = self.done.descend(view, |sides| {
                let most = sides.iter().map(|&id| residual(id)).max().unwrap_or(0);
                best.clear();
                best.extend(sides.iter().filter(|&&id| residual(id) == most));
                let taken = best.iter().find(|id| view.tree.node(**id).state == State::Explored);
                taken.copied().unwrap_or_else(|| rng.pick(&best))
            });
            match found {
                None => return Next::Done,
                Some(id) if residual(id) == 0 => self.done.pass(id),
                Some(id) => return Next::Flip(id),
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
    fn the_side_with_more_behind_it_is_taken() {
        // True leads to two more decisions, false to none.
        assert_eq!(explore(nested, StrategyKind::Residual, 1).flips, [1, 2, 3, 4]);
        // Both sides have the same behind them: the path is kept, and its last decision with something open is flipped.
        let log = explore(chain, StrategyKind::Residual, 1);
        assert_eq!(log.runs.len(), log.flips.len() + 1);
    }

    #[test]
    fn what_is_behind_is_counted_through_loops() {
        let cfg = Cfg::by_hand(6, &[(0, 1), (1, 2), (2, 1), (2, 3), (0, 4), (4, 5)]);
        let open: FxHashSet<Edge> = (1..6).map(|point| (0, point, 0)).collect();
        let mut behind = Behind::new(&cfg, &open);
        let counts = |behind: &mut Behind| cfg.points().map(|point| behind.count(point)).collect::<Vec<_>>();
        assert_eq!(counts(&mut behind), [5, 3, 3, 1, 2, 1]);
        behind.close(&[(0, 2, 0), (0, 5, 0)]);
        assert_eq!(counts(&mut behind), [3, 2, 2, 1, 1, 0]);
    }
}
