//! Which layers there are, in which order.

use super::backends::Backend;
use super::layers::{
    AlphaEquivalence, Bounds, CoreReuse, Fallback, Linear, ModelReuse, Narrow, Propagate, Relax, Slice, Validate,
};
use super::{Cancel, Solver};
use crate::tuning::Tuning;

/// How to build a stack.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who is asked at last.
    pub backend: Backend,
    /// Without layers every query goes to the one back end as it is; its models are still checked.
    pub layers: bool,
    /// Ends running queries, and answers all later ones with [`super::Reason::Cancelled`].
    pub cancel: Cancel,
    /// Panic on a wrong model instead of [`super::Reason::BadModel`]: for tests.
    pub strict: bool,
    /// Budgets and thresholds of layers and back ends.
    pub tuning: Tuning,
    /// If not as many as `solver_terms` says: terms after which a solver is made anew, or more if queries are large. It keeps what it learned of all it has seen:
    /// good where queries grow from each other, a burden where each is about something else.
    pub most_terms: Option<usize>,
    /// How many answers are remembered for queries that differ in names only.
    pub alpha: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            backend: Backend::default(),
            layers: true,
            cancel: Cancel::default(),
            strict: cfg!(debug_assertions),
            tuning: Tuning::default(),
            most_terms: None,
            alpha: 0,
        }
    }
}

/// The solver that everyone uses. A query passes the layers from the last line to the first.
pub fn stack(options: &Options) -> Box<dyn Solver> {
    let tuning = &options.tuning;
    let most_terms = options.most_terms.unwrap_or(tuning.solver_terms);
    let backend = |backend: Backend| backend.make(options.cancel.clone(), tuning, most_terms);
    let (main, other) = (backend(options.backend), backend(options.backend.other()));
    // Floats are the first one's strength.
    let leads = options.backend == Backend::default();
    if !options.layers {
        return Box::new(Validate::new(main, options.strict));
    }
    let (main, other) = (Validate::new(main, false), Validate::new(other, false));
    let solver = Fallback::new(Box::new(main), Box::new(other), leads);
    let solver = Narrow::new(Box::new(solver), tuning);
    let solver = Linear::new(Box::new(solver), options.cancel.clone(), tuning);
    let solver = Relax::new(Box::new(solver), tuning);
    let solver = ModelReuse::new(Box::new(solver), tuning.solver_models);
    let solver = CoreReuse::new(Box::new(solver), tuning.solver_cores);
    let solver = Slice::new(Box::new(solver));
    let solver = Bounds::new(Box::new(solver), tuning);
    let solver = Propagate::new(Box::new(solver), tuning);
    let solver: Box<dyn Solver> = if options.alpha > 0 {
        Box::new(AlphaEquivalence::new(Box::new(solver), options.alpha, tuning))
    } else {
        Box::new(solver)
    };
    Box::new(Validate::new(solver, options.strict))
}
