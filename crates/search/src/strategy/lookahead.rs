//! Lookahead: eager, but only where it can pay.
//!
//! Williams (AST 2021): a decision is flipped only if its other side is open, or if the control-flow graph connects that
//! side with something open. Whether the way there is feasible is not asked. What is passed over is never needed later,
//! since objectives only close.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::suffix::{Worth, is_left};
use super::{Next, Profile, Ran, Strategy, View, Way};
use crate::cfg::Cfg;
use crate::cfg::Edge;

pub(super) const PROFILE: Profile = Profile {
    about: "eager, only where something open can be reached",
    needs_cfg: true,
    is_exhaustive: true,
    make: |start| Box::new(Lookahead::new(start.cfg, start.open)),
};

#[derive(Debug)]
pub(super) struct Lookahead {
    stack: Vec<Way>,
    worth: Worth,
}

impl Lookahead {
    pub(super) fn new(cfg: Rc<Cfg>, open: &FxHashSet<Edge>) -> Lookahead {
        Lookahead { stack: Vec::new(), worth: Worth::new(cfg, open) }
    }
}

impl Strategy for Lookahead {
    fn ran(&mut self, run: &Ran<'_>, _: &View<'_>) {
        self.stack.extend(run.fresh.iter().rev());
    }

    fn closed(&mut self, edges: &[Edge]) {
        self.worth.close(edges);
    }

    fn next(&mut self, view: &View<'_>) -> Next {
        while let Some(way) = self.stack.pop() {
            if is_left(view, way.id) && self.worth.may_help(&way, view) {
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

    #[test]
    fn what_cannot_lead_to_anything_open_is_passed_over() {
        let (all, few) =
            (explore(contradiction, StrategyKind::Eager, 1), explore(contradiction, StrategyKind::Lookahead, 1));
        assert_eq!((all.runs.len(), few.runs.len()), (16, 5));
        assert_eq!((few.flips.len(), few.hopeful), (5, 0));
        assert!(few.done && few.open == all.open);
    }
}
