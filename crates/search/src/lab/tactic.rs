//! What a tactic is.

use covenant_concolic::run::Run;
use covenant_concolic::tree::Trail;
use covenant_goals::{Contradiction, Status};
use covenant_transition::trace::Trace;

use super::Lab;

/// One way to decide objectives.
///
/// Why the seam exists: each tactic owns what only it needs to know; the lab has what all share, and the scheduler says
/// whose turn it is. So none of them has to know the others.
pub(crate) trait Tactic: std::fmt::Debug {
    /// A turn: at least one step, and more as long as the budget lasts. It ends at once when something was decided, so that
    /// the scheduler can think again. `others` hear of each run, see [`Lab::explore`].
    fn turn(&mut self, lab: &mut Lab<'_>, others: &mut Others<'_>, budget: Budget) -> Result<Turn, Contradiction>;

    /// The program was run, by whichever tactic.
    fn learn(&mut self, lab: &mut Lab<'_>, ran: &Ran<'_>) {
        let _ = (lab, ran);
    }
}

/// The tactics whose turn it is not.
pub(crate) type Others<'o> = Vec<&'o mut dyn Tactic>;

/// What a turn may use up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Budget {
    /// In the measure of [`Lab::work`].
    pub(crate) work: u64,
    /// Steps of the tactic: flips, rounds, or queries.
    pub(crate) tries: u64,
    /// Only what is cheap and likely to gain something is worth a try now.
    pub(crate) hasty: bool,
}

impl Budget {
    /// As much as it takes.
    pub(crate) const ALL: Budget = Budget { work: u64::MAX, tries: u64::MAX, hasty: false };
    /// One step.
    pub(crate) const STEP: Budget = Budget { tries: 1, ..Budget::ALL };
    /// What is cheap.
    pub(crate) const HASTY: Budget = Budget { hasty: true, ..Budget::ALL };
}

/// How a turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    /// There may be more to do: the budget is used up, something was decided, or a question was hard.
    More,
    /// There is nothing to do.
    Idle,
    /// The campaign ends.
    Over(Status),
}

/// What tactics hear of a run.
#[derive(Debug)]
pub(crate) struct Ran<'r> {
    /// What it did.
    pub(crate) run: &'r Run,
    /// Where in the transition system it was.
    pub(crate) trace: &'r Trace,
    /// Its path in the tree; `None`: the same inputs took another one before.
    pub(crate) trail: Option<&'r Trail>,
}
