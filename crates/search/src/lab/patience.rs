//! How long runs may take.

use std::collections::VecDeque;
use std::rc::Rc;

use covenant_constraints::Model;

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
    /// How often in a row it was of no use to do the same for inputs of the same kind.
    pub(super) kin_in_vain: u32,
}

impl Patience {
    /// For runs of which nothing is known yet.
    pub(super) fn new(turns: u32) -> Patience {
        let (postponed, endless) = (VecDeque::new(), VecDeque::new());
        Patience { turns: Some(turns), postponed, endless, endless_turns: 1, is_endless: false, kin_in_vain: 0 }
    }

    /// Whether inputs were seen whose runs have no end.
    pub(super) fn knows_endless(&self) -> bool {
        !self.endless.is_empty()
    }
}
