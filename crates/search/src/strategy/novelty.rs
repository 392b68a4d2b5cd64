//! Novelty: a branch that no run has taken so often.
//!
//! Our own, after the hit counts of coverage-guided fuzzers (AFL): what a loop counts decides what comes behind it, and the
//! control flow does not show it. A way is new if no run so far took its branch as often on one path, where from five times
//! on only the order of magnitude matters. Open branches come first, then new ways, then those that few runs took; what
//! was tried in vain falls behind. Ways behind which nothing open lies are passed over.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use covenant_concolic::tree::{NodeId, Tree};
use covenant_constraints::random::Rng;
use rustc_hash::{FxHashMap, FxHashSet};

use super::suffix::{Worth, is_left};
use super::{Next, Profile, Ran, Strategy, View, Way, edge};
use crate::cfg::Cfg;
use crate::cfg::Edge;

pub(super) const PROFILE: Profile = Profile {
    about: "a branch that no run took so often; loops that count",
    needs_cfg: true,
    is_exhaustive: true,
    make: |start| Box::new(Novelty::new(start.cfg, start.open, start.rng)),
};

/// A branch, and about how often it was taken.
type Feat = (Edge, u32);

/// Where new ways begin, in the order in which ways are tried, and those that runs took as often before.
const NEW: u32 = 2; // not tuning: an order
const KNOWN: u32 = 8; // not tuning: an order
/// Where ways are that are no branches of the program; those that are only checks come later still.
const OTHER: u32 = 12; // not tuning: an order

/// What ways have the same rank by: what they are, and whether they steer.
type Kind = (Option<Feat>, bool);

/// Ways of one kind, by lot.
#[derive(Debug)]
struct Group {
    kind: Kind,
    ways: BinaryHeap<Reverse<(u64, usize)>>,
}

#[derive(Debug)]
pub(super) struct Novelty {
    /// Groups by rank, then by the least lot; an entry with another lot is out of date. Ranks only grow as a rule: one that
    /// is too small is corrected when it comes up, which costs no more for a group than for one way.
    heap: BinaryHeap<Reverse<(u32, u64, usize)>>,
    groups: Vec<Group>,
    of_kind: FxHashMap<Kind, usize>,
    ways: Vec<Way>,
    /// How many runs showed it, and how often it was tried.
    shown: FxHashMap<Feat, u32>,
    tries: FxHashMap<Feat, u32>,
    /// How often an open branch was tried.
    failed: FxHashMap<Edge, u32>,
    worth: Worth,
    rng: Rng,
}

/// Exact up to four, then powers of two.
fn about(times: u32) -> u32 {
    if times <= 4 { times } else { times.next_power_of_two() }
}

impl Novelty {
    pub(super) fn new(cfg: Rc<Cfg>, open: &FxHashSet<Edge>, rng: Rng) -> Novelty {
        Novelty {
            heap: BinaryHeap::new(),
            groups: Vec::new(),
            of_kind: FxHashMap::default(),
            ways: Vec::new(),
            shown: FxHashMap::default(),
            tries: FxHashMap::default(),
            failed: FxHashMap::default(),
            worth: Worth::new(cfg, open),
            rng,
        }
    }

    fn rank(&self, (feat, steers): Kind, view: &View<'_>) -> u32 {
        let Some(feat) = feat else { return if steers { OTHER } else { 2 * OTHER } };
        if view.open.contains(&feat.0) {
            return self.failed.get(&feat.0).copied().unwrap_or(0);
        }
        let tries = self.tries.get(&feat).copied().unwrap_or(0);
        match self.shown.get(&feat) {
            None => NEW + 2 * tries,
            Some(runs) => KNOWN + 2 * runs.ilog2() + tries,
        }
    }

    fn push(&mut self, way: Way, feat: Option<Feat>, view: &View<'_>) {
        let kind = (feat, feat.is_some() || way.steers);
        let next = self.groups.len();
        let number = *self.of_kind.entry(kind).or_insert(next);
        if number == next {
            self.groups.push(Group { kind, ways: BinaryHeap::new() });
        }
        let lot = self.rng.next();
        self.groups[number].ways.push(Reverse((lot, self.ways.len())));
        self.ways.push(way);
        self.show(number, Some(lot), view);
    }

    /// Enters a group, if its least lot is this one, or whatever that is.
    fn show(&mut self, number: usize, lot: Option<u64>, view: &View<'_>) {
        let group = &self.groups[number];
        if let Some(&Reverse((least, _))) = group.ways.peek()
            && lot.is_none_or(|lot| lot == least)
        {
            let rank = self.rank(group.kind, view);
            self.heap.push(Reverse((rank, least, number)));
        }
    }

    fn tried(&mut self, way: &Way, feat: Feat, view: &View<'_>) {
        if way.is_open(view) {
            *self.failed.entry(feat.0).or_insert(0) += 1;
        }
        *self.tries.entry(feat).or_insert(0) += 1;
    }
}

/// How often the branch of a node is taken in the last decisions on the way to it, the node included.
fn times(tree: &Tree, id: NodeId, of: Edge, last: usize) -> u32 {
    let before = std::iter::successors(Some(id), |&id| tree.node(id).parent).take(last);
    before.filter(|&id| edge(tree.node(id)) == Some(of)).count() as u32
}

impl Strategy for Novelty {
    fn ran(&mut self, run: &Ran<'_>, view: &View<'_>) {
        let mut counts: FxHashMap<Edge, u32> = FxHashMap::default();
        let mut fresh = run.fresh.iter().peekable();
        let mut found = Vec::new();
        let mut before = Tree::ROOT;
        for &id in run.path {
            while let Some(way) = fresh.next_if(|way| view.tree.node(way.id).parent == Some(before)) {
                let feat = way.edge.map(|edge| (edge, about(1 + counts.get(&edge).copied().unwrap_or(0))));
                found.push((*way, feat));
            }
            if let Some(edge) = edge(view.tree.node(id)) {
                *counts.entry(edge).or_insert(0) += 1;
            }
            before = id;
        }
        found.extend(fresh.map(|way| {
            (*way, way.edge.map(|edge| (edge, about(times(view.tree, way.id, edge, view.tuning.novelty_last)))))
        }));
        // As often as that includes all that is less often.
        for (edge, count) in counts {
            for times in
                (1..=count.min(4)).chain((3..31).map(|bit| 1 << bit).take_while(|&times| times <= about(count)))
            {
                *self.shown.entry((edge, times)).or_insert(0) += 1;
            }
        }
        for (way, feat) in found {
            self.push(way, feat, view);
        }
    }

    fn closed(&mut self, edges: &[Edge]) {
        self.worth.close(edges);
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        while let Some(Reverse((rank, lot, number))) = self.heap.pop() {
            let group = &self.groups[number];
            let (kind, least) = (group.kind, group.ways.peek().copied());
            let Some(Reverse((_, index))) = least.filter(|Reverse((least, _))| *least == lot) else { continue };
            let way = self.ways[index];
            let helps = is_left(view, way.id) && self.worth.may_help(&way, view);
            let now = self.rank(kind, view);
            if helps && now > rank {
                self.heap.push(Reverse((now, lot, number)));
                continue;
            }
            self.groups[number].ways.pop();
            if let Some(feat) = kind.0.filter(|_| helps) {
                self.tried(&way, feat, view);
            }
            self.show(number, None, view);
            if helps {
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
    use super::*;

    #[test]
    fn counts_are_exact_while_they_are_small() {
        assert_eq!([1, 2, 3, 4, 5, 8, 9, 16].map(about), [1, 2, 3, 4, 8, 8, 16, 16]);
    }

    #[test]
    fn turns_of_a_loop_that_are_new_come_first() {
        let log = explore(turns, StrategyKind::Novelty, 1);
        assert_eq!(log.flips, [1, 1, 1, 1, 2]);
        assert!(log.open.is_empty());
        assert_eq!(explore(nested, StrategyKind::Novelty, 1).flips, [1, 2, 3, 4]);
    }
}
