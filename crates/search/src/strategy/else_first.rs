//! Else: the open branches of a suffix first.
//!
//! Williams (AST 2021): along a new suffix only decisions whose other side is open are flipped, each new suffix being
//! treated in full before the search goes on; then the search comes back along the suffix and flips what is left in the
//! hope that something open lies behind it, where the control flow allows that. By then many hopes are not needed.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::suffix::{Suffix, Worth};
use super::{Next, Profile, Ran, Strategy, View};
use crate::cfg::Cfg;
use crate::cfg::Edge;

pub(super) const PROFILE: Profile = Profile {
    about: "lookahead, open branches of a path before the rest",
    needs_cfg: true,
    is_exhaustive: true,
    make: |start| Box::new(ElseFirst::new(start.cfg, start.open)),
};

#[derive(Debug)]
pub(super) struct ElseFirst {
    stack: Vec<Suffix>,
    worth: Worth,
}

impl ElseFirst {
    pub(super) fn new(cfg: Rc<Cfg>, open: &FxHashSet<Edge>) -> ElseFirst {
        ElseFirst { stack: Vec::new(), worth: Worth::new(cfg, open) }
    }
}

impl Strategy for ElseFirst {
    fn ran(&mut self, run: &Ran<'_>, _: &View<'_>) {
        self.stack.push(Suffix::new(run.fresh));
    }

    fn closed(&mut self, edges: &[Edge]) {
        self.worth.close(edges);
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        while let Some(top) = self.stack.last_mut() {
            let next = top.forward(view).or_else(|| top.backward(&mut self.worth, view));
            match next {
                Some(id) => return Next::Flip(id),
                None => self.stack.pop(),
            };
        }
        Next::Done
    }
}

#[cfg(test)]
mod tests {
    use super::super::StrategyKind;
    use super::super::testing::*;

    #[test]
    fn hopes_wait_until_the_open_branches_of_the_path_are_tried() {
        let (lookahead, other) = (explore(turns, StrategyKind::Lookahead, 1), explore(turns, StrategyKind::Else, 1));
        assert_eq!(other.flips, [1, 1, 1, 1, 2]);
        assert!(other.hopeful <= lookahead.hopeful);
        assert_eq!(explore(chain, StrategyKind::Else, 1).flips, [1, 2, 3, 4]);
    }
}
