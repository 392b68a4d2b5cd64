//! Coverage: ways to open objectives first, then those of the subject, then the rest.
//!
//! Our own, and what explores paths beside the model of `arc`: places that were met rarely come before others, as in many
//! fuzzers. It needs no map of the program and costs next to nothing.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::suffix::is_left;
use super::{Next, Profile, Ran, Strategy, View, Way};
use crate::cfg::Edge;

pub(super) const PROFILE: Profile = Profile {
    about: "open branches first, then what was met least; cheap",
    needs_cfg: false,
    is_exhaustive: true,
    make: |_| Box::new(Coverage::default()),
};

#[derive(Debug, Default)]
pub(super) struct Coverage {
    heap: BinaryHeap<Reverse<Entry>>,
    met: FxHashMap<Edge, u32>,
    added: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Entry {
    class: u8,
    times: u32,
    added: u64,
    way: Ordered,
}

/// A way, ordered by its node: entries are told apart by their age before that matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Ordered(Way);

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.id.cmp(&other.0.id)
    }
}

impl Strategy for Coverage {
    fn ran(&mut self, run: &Ran<'_>, view: &View<'_>) {
        for way in run.fresh {
            let class = match way {
                _ if way.is_open(view) => 0,
                _ if way.steers => 1,
                _ => 2,
            };
            let times = way.edge.map_or(0, |edge| {
                let count = self.met.entry(edge).or_insert(0);
                *count += 1;
                *count
            });
            self.added += 1;
            self.heap.push(Reverse(Entry { class, times, added: self.added, way: Ordered(*way) }));
        }
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        while let Some(Reverse(entry)) = self.heap.pop() {
            let way = entry.way.0;
            if !is_left(view, way.id) {
                continue;
            }
            if entry.class == 0 && !way.is_open(view) {
                self.heap.push(Reverse(Entry { class: 1, ..entry }));
                continue;
            }
            return Next::Flip(way.id);
        }
        Next::Done
    }
}

#[cfg(test)]
mod tests {
    use super::super::StrategyKind;
    use super::super::testing::*;

    #[test]
    fn open_branches_come_first_and_rare_ones_before_others() {
        assert_eq!(explore(chain, StrategyKind::Coverage, 1).hopeful, 0);
        assert_eq!(explore(turns, StrategyKind::Coverage, 1).flips, [1, 1, 1, 1, 2]);
    }
}
