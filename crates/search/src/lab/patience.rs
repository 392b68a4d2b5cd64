//! How long runs may take.

use std::collections::VecDeque;
use std::rc::Rc;

use covenant_concolic::symbolic::{Follower, Symbolic};
use covenant_constraints::Model;
use covenant_interpreter::shadow::{Inspect, Mark};

/// Inputs that a run is given more before a look ahead takes it to be without an end: more than our largest objects have; fewer where
/// there are such runs.
const MANY_INPUTS: usize = 5000; // not tuning: what the inputs are
const ENOUGH_INPUTS: usize = 1000; // not tuning: how far a look ahead goes

/// Ends a run that asks for more and more inputs.
#[derive(Debug)]
pub(super) struct Hungry {
    most: usize,
    cut: bool,
}

impl Hungry {
    /// For a run that had so many inputs when it was cut.
    pub(super) fn new(inputs: usize, knows_endless: bool) -> Hungry {
        let more = if knows_endless { ENOUGH_INPUTS } else { MANY_INPUTS };
        Hungry { most: inputs.saturating_add(more), cut: false }
    }
}

impl Follower for Hungry {
    fn passed(&mut self, run: &mut dyn Inspect<Symbolic<'_>>, _: Mark) -> bool {
        self.cut |= run.shadow().used.len() > self.most;
        !self.cut
    }

    fn has_cut(&self) -> bool {
        self.cut
    }
}

/// How long runs may take while shorter ones may do. Most of what a program can do shows in few turns of its loops, and
/// the solver likes large bounds.
#[derive(Debug)]
pub(super) struct Patience {
    /// Visits of one location; `None`: as many as it takes.
    pub(super) turns: Option<u32>,
    /// Inputs whose runs were cut. They are tried again before anyone says that all paths are known.
    pub(super) postponed: VecDeque<Rc<Model>>,
    /// Inputs whose runs have no end. They are followed for a few turns, and for more each time that nothing else is left.
    pub(super) endless: VecDeque<Rc<Model>>,
    /// For how many turns.
    pub(super) endless_turns: u32,
    /// One of them is followed now.
    pub(super) is_endless: bool,
    /// For how many turns a run is followed that goes round without being given an input, once there are runs without an end.
    pub(super) idle_turns: u32,
    /// How often in a row it was of no use to do the same for inputs of the same kind.
    pub(super) kin_in_vain: u32,
}

impl Patience {
    /// For runs of which nothing is known yet.
    pub(super) fn new(turns: u32, idle_turns: u32) -> Patience {
        let (postponed, endless) = (VecDeque::new(), VecDeque::new());
        Patience {
            turns: Some(turns),
            postponed,
            endless,
            endless_turns: 1,
            is_endless: false,
            idle_turns,
            kin_in_vain: 0,
        }
    }

    /// Whether inputs were seen whose runs have no end.
    pub(super) fn knows_endless(&self) -> bool {
        !self.endless.is_empty()
    }
}
