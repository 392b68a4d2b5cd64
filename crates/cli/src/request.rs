//! Options of the command line, as those are told who work on them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use covenant_concolic::symbolic::InputOptions;
use covenant_constraints::solver::Steps;
use covenant_constraints::tuning::Tuning;
use covenant_search::Settings;

use crate::args::{GenArgs, Pointers};

/// The input space.
pub(crate) fn inputs(args: &GenArgs) -> InputOptions {
    InputOptions {
        nullable: args.pointers == Pointers::Nullable,
        distinct: args.no_aliases,
        array_len: args.array_len,
        stubs: args.stub_default(),
        stubs_by_name: args.stubs_by_name(),
    }
}

/// The table with what was changed; names and values were checked when they were read.
fn tuning(args: &GenArgs) -> Tuning {
    let mut tuning = Tuning::default();
    for (name, value) in &args.tune {
        let _ = tuning.set(name, value);
    }
    tuning
}

pub(crate) fn settings(args: &GenArgs, cancel: Arc<AtomicBool>) -> Settings {
    Settings {
        inputs: inputs(args),
        max_steps: args.max_steps,
        memory: args.memory,
        max_tests: args.max_tests,
        max_iterations: args.max_iterations,
        solver: args.solver,
        solver_steps: Steps::like(args.solver_timeout),
        tuning: tuning(args),
        strategy: args.strategy.unwrap_or_default(),
        seed: args.seed,
        loop_bound: args.loop_bound,
        max_depth: args.max_depth,
        coarsening: !args.no_coarsening,
        cancel,
    }
}
