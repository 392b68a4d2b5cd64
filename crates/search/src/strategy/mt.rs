//! MT: many paths, treated in turn.
//!
//! Williams (AST 2021), where each path is a thread and the letters mean just that: the paths are treated as by `else`, but
//! all at the same time, one flip each in turn. A path comes first as long as it is gone along for its open branches; those
//! that are gone back along in hope have to wait until there are none of the first kind. What is covered, all of them know.
//! No thread is needed for that: a path is a list and a place in it, and the solver shares prefixes by itself.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::suffix::{Suffix, Worth};
use super::{Next, Profile, Ran, Strategy, View};
use crate::cfg::Cfg;
use crate::cfg::Edge;

pub(super) const PROFILE: Profile = Profile {
    about: "else on all paths in turn; none holds up the others",
    needs_cfg: true,
    is_exhaustive: true,
    make: |start| Box::new(Mt::new(start.cfg, start.open)),
};

#[derive(Debug)]
pub(super) struct Mt {
    /// Paths on their way along the open branches.
    high: VecDeque<Suffix>,
    /// Paths on their way back.
    low: VecDeque<Suffix>,
    worth: Worth,
}

impl Mt {
    pub(super) fn new(cfg: Rc<Cfg>, open: &FxHashSet<Edge>) -> Mt {
        Mt { high: VecDeque::new(), low: VecDeque::new(), worth: Worth::new(cfg, open) }
    }
}

impl Strategy for Mt {
    fn ran(&mut self, run: &Ran<'_>, _: &View<'_>) {
        if !run.fresh.is_empty() {
            self.high.push_back(Suffix::new(run.fresh));
        }
    }

    fn closed(&mut self, edges: &[Edge]) {
        self.worth.close(edges);
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        while let Some(mut path) = self.high.pop_front() {
            match path.forward(view) {
                Some(id) => {
                    self.high.push_back(path);
                    return Next::Flip(id);
                }
                None => self.low.push_back(path),
            }
        }
        while let Some(mut path) = self.low.pop_front() {
            if let Some(id) = path.backward(&mut self.worth, view) {
                self.low.push_back(path);
                return Next::Flip(id);
            }
        }
        Next::Done
    }
}

#[cfg(test)]
mod tests {
    use super::super::StrategyKind;
    use super::super::testing::*;

    #[test]
    fn paths_are_treated_in_turn() {
        // The first path names 1; the second has 2, 3 and 4 fresh and waits until the first had its turn.
        let log = explore(chain, StrategyKind::Mt, 1);
        assert_eq!(log.flips, [1, 2, 3, 4]);
        assert_eq!(log.runs[2], [false, true, false, false, false], "the first path is flipped, not the second");
        assert_eq!(log.hopeful, 0);
    }
}
