//! What a search may use up, and how it goes about it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use covenant_concolic::symbolic::InputOptions;
use covenant_constraints::solver::{self, Steps};
use covenant_constraints::tuning::Tuning;
use covenant_interpreter::Limits;

use crate::strategy;

/// What a search may use up, and how it goes about it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What inputs are like.
    pub inputs: InputOptions,
    /// Larger sizes of objects, and of those that are structs with pointers, which are tried aside while search is in vain.
    pub larger: Vec<(u64, u64)>,
    /// Work after which the search ends.
    pub max_work: Option<u64>,
    /// Whether the tests that the search begins from are of our making, and may be made ordinary.
    pub own_tests: bool,
    /// Whether the search ends as soon as a run shows that pointers should point elsewhere: somebody begins anew.
    pub reshapes: bool,
    /// Instructions of one run.
    pub max_steps: u64,
    /// Bytes of one run.
    pub memory: u64,
    /// Tests after which the search ends.
    pub max_tests: Option<u64>,
    /// Tries after which the search ends.
    pub max_iterations: Option<u64>,
    /// The back end of the solver.
    pub solver: solver::Backend,
    /// What one question to the solver may cost.
    pub solver_steps: Steps,
    /// The numbers that the search goes by.
    pub tuning: Tuning,
    /// Which tactics there are, and in which order paths are tried.
    pub strategy: strategy::StrategyConfig,
    /// For what is random.
    pub seed: u64,
    /// Times that a path may take the same branch by choice.
    pub loop_bound: Option<u32>,
    /// Decisions of a path beyond which none is flipped.
    pub max_depth: Option<u32>,
    /// Whether provers are asked. Of a search for tests alone nobody takes their answers.
    pub proves: bool,
    /// Whether inputs of chance are tried where search is in vain.
    pub fuzzes: bool,
    /// Whether the model forgets what it no longer needs.
    pub coarsening: bool,
    /// Ends everything soon after it is set.
    pub cancel: Arc<AtomicBool>,
    /// Ends questions to solvers and provers, and nothing else; `None`: the other one does.
    pub ends_questions: Option<Arc<AtomicBool>>,
}

impl Settings {
    /// What one run may use up.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            steps: self.max_steps,
            memory: self.memory,
            cancel: Some(Arc::clone(&self.cancel)),
            ..Limits::default()
        }
    }
}
