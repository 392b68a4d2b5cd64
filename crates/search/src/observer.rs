//! Who watches a campaign, and may end it.

use covenant_goals::{ModelStep, Status, TestCase};

/// Why the seam exists: the search reads no clock and prints nothing; whoever starts a campaign does.
pub trait Observer {
    /// Milliseconds since the start.
    fn elapsed(&mut self) -> u64;
    /// Microseconds since some fixed time, for what takes less than a millisecond.
    fn micros(&mut self) -> u64 {
        1000 * self.elapsed()
    }
    /// When the campaign is ended at the latest, in milliseconds since the start, if that is known.
    fn ends_at(&self) -> Option<u64> {
        None
    }
    /// Called after every run and now and then between; `Some` ends the campaign with that status.
    fn progress(&mut self, progress: &Progress) -> Option<Status>;
    /// Whether [`Observer::model_changed`] is of use: describing the model takes time.
    fn wants_model(&self) -> bool {
        false
    }
    /// The model after each change that matters.
    fn model_changed(&mut self, _step: ModelStep) {}
    /// Each test at the moment it is kept, with its inputs; what it is expected to do is known when the campaign is over.
    fn kept(&mut self, _test: &TestCase) {}
}

/// How far a campaign has come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Objectives that some run reached.
    pub covered: usize,
    /// Objectives that no run can reach.
    pub infeasible: usize,
    /// Objectives that are not decided yet.
    pub open: usize,
    /// Tests that are kept.
    pub tests: usize,
    /// Runs of the program.
    pub executions: u64,
}
