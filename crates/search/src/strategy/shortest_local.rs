//! Shortest, along one path: the nearest open branch from the last path that covered something, with new starts.
//!
//! The control-flow directed search as Burnim and Sen published it (ASE 2008) and as later papers compare with it. The ways
//! of one path are tried by their distance to an open branch, lots among equals. What a run did not cover may lie right
//! behind it: a few ways of the new part of its path are tried at once, only nearer ones, and so on for a few levels. A run
//! that covers something becomes the path; when a path leads nowhere for long, random inputs are a new start. `shortest` asks
//! the same question about the ways of all paths. This one is there to compare with: it knows no more of a path than its
//! authors' does. Where new starts find nothing for long, some way is taken at random, so that the search ends.

use std::rc::Rc;

use covenant_concolic::tree::{NodeId, State};
use covenant_constraints::random::Rng;
use rustc_hash::{FxHashMap, FxHashSet};

use super::random_input::RandomInput;
use super::reach::{NEVER, Reach};
use super::{Next, Profile, Ran, Strategy, View, Way};
use crate::cfg::Cfg;
use crate::cfg::Edge;

pub(super) const PROFILE: Profile = Profile {
    about: "shortest along one path, with new starts; to compare",
    needs_cfg: true,
    is_exhaustive: true,
    make: |start| Box::new(ShortestLocal::new(start.cfg, start.open, start.rng)),
};

/// Runs for the ways of a path, and for those of what came behind one of them.
const RUNS: u32 = 250; // not tuning: a strategy that others are compared with
const RUNS_BEHIND: u32 = 5; // not tuning: a strategy that others are compared with
/// Levels of what came behind what.
const LEVELS: usize = 5; // not tuning: a strategy that others are compared with
/// New starts without a way to try, after which one is taken at random.
const STARTS: u32 = 20; // not tuning: a strategy that others are compared with

#[derive(Debug)]
pub(super) struct ShortestLocal {
    reach: Reach,
    rng: Rng,
    inputs: RandomInput,
    /// All ways that were passed by, by the decision before them.
    passed: FxHashMap<Option<NodeId>, Vec<Way>>,
    /// The same in the order in which they were found.
    all: Vec<Way>,
    levels: Vec<Level>,
    /// The last run, until it is known what it covered.
    last: Option<Last>,
    covered: bool,
    /// New starts in a row without a way to try.
    starts: u32,
}

/// Ways that are tried, the nearest last.
#[derive(Debug)]
struct Level {
    ways: Vec<(u32, Way)>,
    runs: u32,
    /// How far the one is that was tried last.
    distance: u32,
}

#[derive(Debug)]
struct Last {
    path: Vec<NodeId>,
    fresh: Vec<Way>,
}

impl ShortestLocal {
    pub(super) fn new(cfg: Rc<Cfg>, open: &FxHashSet<Edge>, mut rng: Rng) -> ShortestLocal {
        let inputs = RandomInput::new(Rng::new(rng.next()));
        ShortestLocal {
            reach: Reach::new(cfg, open),
            rng,
            inputs,
            passed: FxHashMap::default(),
            all: Vec::new(),
            levels: Vec::new(),
            last: None,
            covered: false,
            starts: 0,
        }
    }

    fn level(&mut self, ways: impl IntoIterator<Item = Way>, runs: u32, below: u32) -> Level {
        let mut found: Vec<(u32, u64, Way)> = Vec::new();
        for way in ways {
            let distance = self.reach.behind(&way);
            if distance < below {
                found.push((distance, self.rng.next(), way));
            }
        }
        found.sort_by_key(|&(distance, lot, _)| std::cmp::Reverse((distance, lot)));
        Level { ways: found.into_iter().map(|(distance, _, way)| (distance, way)).collect(), runs, distance: NEVER }
    }

    /// Where to go on after the last run.
    fn settle(&mut self, view: &View<'_>) {
        let Some(last) = self.last.take() else { return };
        let covered = std::mem::take(&mut self.covered);
        if let Some(level) = self.levels.last_mut().filter(|_| !covered) {
            level.runs = level.runs.saturating_sub(1);
            let below = level.distance;
            if self.levels.len() < LEVELS {
                let behind = self.level(last.fresh, RUNS_BEHIND, below);
                self.levels.push(behind);
            }
            return;
        }
        let ways = last.path.iter().filter_map(|&id| self.passed.get(&view.tree.node(id).parent)).flatten().copied();
        let ways: Vec<Way> = ways.filter(|way| view.tree.node(way.id).state == State::Open).collect();
        let level = self.level(ways, RUNS, NEVER);
        self.starts = if level.ways.is_empty() { self.starts + 1 } else { 0 };
        self.levels = vec![level];
    }

    /// Some way of any path.
    fn any(&mut self, view: &View<'_>) -> Option<Way> {
        while !self.all.is_empty() {
            let way = self.all.swap_remove(self.rng.below(self.all.len()));
            if view.tree.node(way.id).state == State::Open && self.reach.behind(&way) != NEVER {
                return Some(way);
            }
        }
        None
    }

    fn has_any(&mut self, view: &View<'_>) -> bool {
        let Some(way) = self.any(view) else { return false };
        self.all.push(way);
        true
    }
}

impl Strategy for ShortestLocal {
    fn ran(&mut self, run: &Ran<'_>, view: &View<'_>) {
        self.inputs.ran(run, view);
        for &way in run.fresh {
            self.passed.entry(view.tree.node(way.id).parent).or_default().push(way);
            self.all.push(way);
        }
        self.last = Some(Last { path: run.path.to_vec(), fresh: run.fresh.to_vec() });
    }

    fn closed(&mut self, edges: &[Edge]) {
        self.reach.close(edges);
        self.covered = true;
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        self.settle(view);
        while let Some(level) = self.levels.last_mut() {
            let way = if level.runs == 0 { None } else { level.ways.pop() };
            match way {
                None => {
                    self.levels.pop();
                }
                Some((distance, way)) if view.tree.node(way.id).state == State::Open => {
                    level.distance = distance;
                    return Next::Flip(way.id);
                }
                Some(_) => {}
            }
        }
        if !self.has_any(view) {
            return Next::Done;
        }
        if self.starts < STARTS
            && let Next::Inputs(inputs) = self.inputs.next(view)
        {
            return Next::Inputs(inputs);
        }
        self.starts = 0;
        self.any(view).map_or(Next::Done, |way| Next::Flip(way.id))
    }
}

#[cfg(test)]
mod tests {
    use super::super::StrategyKind;
    use super::super::testing::*;

    #[test]
    fn the_nearest_of_a_path_is_gone_for() {
        assert_eq!(explore(nested, StrategyKind::ShortestLocal, 1).flips, [1, 2, 3, 4]);
    }

    /// What comes after the second decision can never be, and is always near.
    fn contradictions(steps: &mut Steps<'_>) {
        for input in 0..5 {
            if steps.test(1, input) {
                steps.test(2, input);
            }
        }
    }

    #[test]
    fn a_path_that_leads_nowhere_is_left_for_random_inputs() {
        let log = explore(contradictions, StrategyKind::ShortestLocal, 1);
        let flipped = log.flips.iter().filter(|&&pc| pc == 1).count();
        assert!(log.runs.len() > 1 + flipped, "{log:?}");
        let log = explore(contradictions, StrategyKind::Shortest, 1);
        let flipped = log.flips.iter().filter(|&&pc| pc == 1).count();
        assert_eq!(log.runs.len(), 1 + flipped, "{log:?}");
    }
}
