//! How far the open points of the graph are, from each point.
//!
//! Distances count points, and are measured anew when an objective is decided, which happens at most once for each.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::Way;
use crate::cfg::Edge;
use crate::cfg::{Cfg, PointId};

/// There is no way at all.
pub(crate) const NEVER: u32 = u32::MAX; // not tuning: no distance

#[derive(Debug)]
pub(crate) struct Reach {
    cfg: Rc<Cfg>,
    open: Vec<bool>,
    /// To the nearest open point; 0 for one that is open itself.
    distance: Vec<u32>,
    stale: bool,
}

impl Reach {
    pub(crate) fn new(cfg: Rc<Cfg>, open: &FxHashSet<Edge>) -> Reach {
        let open = cfg.points().map(|point| cfg.edge(point).is_some_and(|edge| open.contains(&edge))).collect();
        Reach { distance: vec![NEVER; cfg.len()], cfg, open, stale: true }
    }

    pub(super) fn close(&mut self, edges: &[Edge]) {
        for point in edges.iter().flat_map(|&edge| self.cfg.all(edge)) {
            self.stale |= std::mem::replace(&mut self.open[point.index()], false);
        }
    }

    /// How many points after this one the nearest open point comes; 0: it is open itself.
    pub(super) fn distance(&mut self, point: PointId) -> u32 {
        if self.stale {
            self.measure();
        }
        self.distance[point.index()]
    }

    /// How far behind a way the nearest open point is.
    pub(crate) fn behind(&mut self, way: &Way) -> u32 {
        match way.point {
            Some(point) => self.distance(point),
            None => {
                let cfg = Rc::clone(&self.cfg);
                cfg.next(way.before)
                    .iter()
                    .map(|&next| self.distance(next))
                    .min()
                    .map_or(NEVER, |d| d.saturating_add(1))
            }
        }
    }

    fn measure(&mut self) {
        self.stale = false;
        self.distance.fill(NEVER);
        let mut work: VecDeque<PointId> = self.cfg.points().filter(|point| self.open[point.index()]).collect();
        for point in &work {
            self.distance[point.index()] = 0;
        }
        while let Some(point) = work.pop_front() {
            let next = self.distance[point.index()] + 1;
            for &before in self.cfg.before(point) {
                if self.distance[before.index()] == NEVER {
                    self.distance[before.index()] = next;
                    work.push_back(before);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use covenant_concolic::tree::Tree;

    use super::*;

    #[test]
    fn distances_grow_when_points_close() {
        // 0 → 1 → 2 → 3, 1 → 4, and a loop from 2 to 1
        let cfg = Rc::new(Cfg::by_hand(5, &[(0, 1), (1, 2), (2, 3), (1, 4), (2, 1)]));
        let open: FxHashSet<Edge> = [(0, 3, 0), (0, 4, 0)].into_iter().collect();
        let mut reach = Reach::new(Rc::clone(&cfg), &open);
        let all = |reach: &mut Reach| cfg.points().map(|p| reach.distance(p)).collect::<Vec<_>>();
        assert_eq!(all(&mut reach), [2, 1, 1, 0, 0]);
        reach.close(&[(0, 3, 0)]);
        assert_eq!(all(&mut reach), [2, 1, 2, NEVER, 0]);
        let way = Way { id: Tree::ROOT, edge: None, point: None, before: PointId(2), steers: true };
        assert_eq!(reach.behind(&way), 2);
        assert_eq!(reach.behind(&Way { point: Some(PointId(3)), ..way }), NEVER);
        reach.close(&[(0, 4, 0)]);
        assert_eq!(all(&mut reach), [NEVER; 5]);
    }
}
