//! Guided: only ways that agree with a trace that is asked for.
//!
//! After Rojas and Gómez-Zamalloa (see `covenant_goals::traces`), who generate traces of an abstraction and let symbolic
//! execution follow each. Here the tree of paths is there already, and all traces are followed at once: a way is tried if
//! what is decided by it is the beginning of an open trace. For local paths these are the outcomes in the function under
//! test; what the functions that it calls do is free. For points these are the ways from which the point can be reached, the
//! nearest first. A prefix that no run can take is refuted once, and none of the traces that begin with it is tried.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::rc::Rc;

use covenant_concolic::symbolic::local::length;
use covenant_concolic::tree::{Node, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::reach::{NEVER, Reach};
use super::suffix::is_left;
use super::{Next, Profile, Ran, Strategy, View, Way};
use crate::cfg::Cfg;
use crate::cfg::Edge;

pub(super) const PROFILE: Profile = Profile {
    about: "only ways that agree with a trace asked for; local paths, points",
    needs_cfg: true,
    is_exhaustive: true,
    make: |start| Box::new(Guided::new(start.cfg, start.open)),
};

#[derive(Debug)]
pub(super) struct Guided {
    reach: Reach,
    /// By key; among equals the newest first, as the solver likes it.
    heap: BinaryHeap<Reverse<(Key, Reverse<u64>, NodeId)>>,
    ways: FxHashMap<NodeId, Way>,
    /// How often a way to each local path was tried.
    tries: FxHashMap<u128, u32>,
    /// How often a way at each place was, on each local path and on any, which is 0.
    tried: FxHashMap<(Edge, u128), u32>,
    added: u64,
}

/// What is tried first: the kind of a way, how often the like was tried, how far it is from its goal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    kind: Kind,
    tries: u32,
    rest: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    /// It leads to a point.
    Nearer,
    /// It takes the next step of a local path.
    Local,
    /// It changes what was before the next step.
    Hole,
    /// It may lead to another call of the function, which may take any path.
    Again,
}

impl Guided {
    pub(super) fn new(cfg: Rc<Cfg>, open: &FxHashSet<Edge>) -> Guided {
        Guided {
            reach: Reach::new(cfg, open),
            heap: BinaryHeap::new(),
            ways: FxHashMap::default(),
            tries: FxHashMap::default(),
            tried: FxHashMap::default(),
            added: 0,
        }
    }

    /// `None`: it agrees with no open trace, and never will.
    fn key(&mut self, way: &Way, view: &View<'_>) -> Option<Key> {
        let distance = if way.is_open(view) { 0 } else { self.reach.behind(way) };
        let node = view.tree.node(way.id);
        let path = node.path();
        if distance != NEVER {
            // A trace to a point knows more than the distance.
            let aims = view.guide.aims(path);
            let tried = |path: u128| self.tried.get(&(place(node), path)).copied().unwrap_or(0);
            let tries = if aims { tried(path) } else { distance.saturating_add(tried(0)) };
            let left = if aims { u128::BITS - length(path) } else { u128::BITS };
            return Some(Key { kind: Kind::Nearer, tries, rest: left.saturating_add(distance) });
        }
        if view.guide.begins(path) {
            let kind = if node.traced().local.ways > 0 { Kind::Local } else { Kind::Hole };
            let tries = self.tries.get(&path).copied().unwrap_or(0);
            let few = view.tuning.guided_few_tries;
            if tries >= few && kind == Kind::Hole {
                return Some(Key { kind, tries: few, rest: 0 });
            }
            return Some(Key { kind, tries, rest: u128::BITS - length(path) });
        }
        let again = view.guide.is_open() && view.guide.runs_twice;
        again.then_some(Key { kind: Kind::Again, tries: 0, rest: node.depth })
    }
}

/// Where a decision is, and which way it goes.
fn place(node: &Node) -> Edge {
    (node.site.function, node.site.pc, node.outcome)
}

impl Strategy for Guided {
    fn ran(&mut self, run: &Ran<'_>, view: &View<'_>) {
        for way in run.fresh {
            if let Some(key) = self.key(way, view) {
                self.added += 1;
                self.ways.insert(way.id, *way);
                self.heap.push(Reverse((key, Reverse(self.added), way.id)));
            }
        }
    }

    fn closed(&mut self, edges: &[Edge]) {
        self.reach.close(edges);
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        while let Some(Reverse((key, added, id))) = self.heap.pop() {
            let Some(way) = self.ways.get(&id).copied().filter(|_| is_left(view, id)) else { continue };
            let Some(now) = self.key(&way, view) else { continue };
            if now > key {
                self.heap.push(Reverse((now, added, id)));
                continue;
            }
            self.ways.remove(&id);
            let node = view.tree.node(id);
            *self.tries.entry(node.path()).or_insert(0) += 1;
            for path in BTreeSet::from([0, node.path()]) {
                *self.tried.entry((place(node), path)).or_insert(0) += 1;
            }
            return Next::Flip(id);
        }
        Next::Done
    }
}

#[cfg(test)]
mod tests {
    use super::super::StrategyKind;
    use super::super::testing::*;

    #[test]
    fn the_nearest_point_is_gone_for() {
        assert_eq!(explore(nested, StrategyKind::Guided, 1).flips, [1, 2, 3, 4]);
        let log = explore(contradiction, StrategyKind::Guided, 1);
        assert!(log.done, "{log:?}");
    }
}
