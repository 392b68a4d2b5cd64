//! The ways of one suffix: of the part of a path that a run was the first to take.
//!
//! PathCrawler's strategies go along a suffix and back. What is left of it is a list of ways in the order of the path; ways
//! that others have decided meanwhile are passed over.

use std::rc::Rc;

use covenant_concolic::tree::{NodeId, State};
use rustc_hash::FxHashSet;

use super::reach::{NEVER, Reach};
use super::{View, Way};
use crate::cfg::Cfg;
use crate::cfg::Edge;

/// Whether nobody has tried the way, and it may be tried now.
pub(super) fn is_left(view: &View<'_>, id: NodeId) -> bool {
    let node = view.tree.node(id);
    node.state == State::Open && node.depth <= view.deepest
}

/// Which ways are worth a flip.
#[derive(Debug)]
pub(super) struct Worth {
    reach: Reach,
}

impl Worth {
    pub(super) fn new(cfg: Rc<Cfg>, open: &FxHashSet<Edge>) -> Worth {
        Worth { reach: Reach::new(cfg, open) }
    }

    pub(super) fn close(&mut self, edges: &[Edge]) {
        self.reach.close(edges);
    }

    /// Whether an open objective can come after the way, as far as the control flow tells.
    pub(super) fn may_help(&mut self, way: &Way, view: &View<'_>) -> bool {
        way.is_open(view) || self.reach.behind(way) != NEVER
    }
}

/// A suffix that is gone along once for the open branches, and back for the rest.
#[derive(Debug)]
pub(super) struct Suffix {
    ways: Vec<Option<Way>>,
    at: usize,
    back: bool,
}

impl Suffix {
    pub(super) fn new(fresh: &[Way]) -> Suffix {
        Suffix { ways: fresh.iter().copied().map(Some).collect(), at: 0, back: false }
    }

    /// The next way whose branch is open, going forward. `None`: the end was reached.
    pub(super) fn forward(&mut self, view: &View<'_>) -> Option<NodeId> {
        while !self.back {
            let Some(slot) = self.ways.get_mut(self.at) else {
                self.back = true;
                break;
            };
            self.at += 1;
            if let Some(way) = slot.filter(|way| way.is_open(view) && is_left(view, way.id)) {
                *slot = None;
                return Some(way.id);
            }
        }
        None
    }

    /// The next way that may help, going back. `None`: nothing is left.
    pub(super) fn backward(&mut self, worth: &mut Worth, view: &View<'_>) -> Option<NodeId> {
        while let Some(slot) = self.ways.pop() {
            if let Some(way) = slot.filter(|way| is_left(view, way.id) && worth.may_help(way, view)) {
                return Some(way.id);
            }
        }
        None
    }
}
