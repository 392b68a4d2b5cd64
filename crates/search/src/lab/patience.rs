//! How long runs may take.

use std::collections::VecDeque;
use std::rc::Rc;

use covenant_constraints::Model;

/// How long runs may take while shorter ones may do. Most of what a program can do shows in few turns of its loops, and
/// the solver likes large bounds.
#[derive(Debug, Default)]
pub(super) struct Patience {
    /// Visits of one location; `None`: as many as it takes, or not known before the first run.
    pub(super) turns: Option<u32>,
    /// Inputs whose runs were cut. They are tried again before anyone says that all paths are known.
    pub(super) postponed: VecDeque<Rc<Model>>,
    /// How often in a row it was of no use to do the same for inputs of the same kind.
    pub(super) kin_in_vain: u32,
}
