//! The traces that are asked for, and those that runs had.

use std::rc::Rc;

use covenant_concolic::symbolic::local::prefixes;
use covenant_goals::{Ledger, ObjectiveId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bound::Bound;
use super::paths::Map;

/// The traces that are asked for.
#[derive(Debug, Default)]
pub struct Guide {
    /// How many open local paths begin so.
    pub(crate) open: FxHashMap<u128, u32>,
    pub(crate) paths: Vec<(ObjectiveId, u128)>,
    /// Prefixes of traces that lead to open points, with how many.
    pub(crate) aims: FxHashMap<u128, u32>,
    pub(crate) points: Vec<(ObjectiveId, Vec<u128>)>,
    /// Prefixes that runs had.
    pub(crate) reached: FxHashSet<u128>,
    /// The loop bound on local paths, asked for or not.
    pub(crate) bound: Option<Bound>,
    /// What traces and guards are made of, once they are asked for.
    pub(crate) map: Option<Rc<Map>>,
    /// Whether guards that need a solver were looked at.
    pub(crate) asked: bool,
    /// They were looked at without a solver.
    pub(crate) refuted: bool,
    /// Whether traces to points were looked for.
    pub(crate) aimed: bool,
    /// Ways through functions that are called which were tried.
    pub(crate) holes: u32,
    /// The function may be called more than once, and another call than the first may take the path.
    pub(crate) runs_twice: bool,
}

impl Guide {
    /// Whether an open local path begins so.
    pub fn begins(&self, path: u128) -> bool {
        self.open.contains_key(&path)
    }

    /// Whether a local path within the loop bound begins so, if that is known.
    pub fn is_within(&self, path: u128) -> Option<bool> {
        self.bound.as_ref().filter(|_| path != 0).map(|bound| bound.has(path))
    }

    /// Whether a trace to an open point begins so.
    pub fn aims(&self, path: u128) -> bool {
        self.aims.contains_key(&path)
    }

    /// Whether a local path is open.
    pub fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// A run took this local path.
    pub(crate) fn took(&mut self, path: u128) {
        if !self.paths.is_empty() {
            self.reached.extend(prefixes(path));
        }
    }

    /// Forgets paths that are decided.
    pub(crate) fn tell(&mut self, ledger: &Ledger) {
        let (open, aims) = (&mut self.open, &mut self.aims);
        self.paths.retain(|&(id, code)| {
            let keep = ledger.is_open(id);
            if !keep {
                forget(open, code);
            }
            keep
        });
        self.points.retain(|(id, codes)| {
            let keep = ledger.is_open(*id);
            codes.iter().filter(|_| !keep).for_each(|&code| forget(aims, code));
            keep
        });
    }
}

/// One path less begins with the prefixes of this one.
fn forget(counts: &mut FxHashMap<u128, u32>, code: u128) {
    for prefix in prefixes(code) {
        if let Some(count) = counts.get_mut(&prefix) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&prefix);
            }
        }
    }
}
