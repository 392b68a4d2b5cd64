//! Options of the command line, as those are told who work on them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use covenant_concolic::symbolic::InputOptions;
use covenant_constraints::solver::Backend;
use covenant_report::SuiteFormat;
use covenant_search::Settings;

use crate::args::{GenArgs, Pointers, SolverName, SuiteName};

/// The input space.
pub(crate) fn inputs(args: &GenArgs) -> InputOptions {
    InputOptions {
        nullable: args.pointers == Pointers::Nullable,
        distinct: args.no_aliases,
        array_len: array_len(args),
        assumes_len: args.array_len.is_some(),
        stubs: args.stub_default(),
        stubs_by_name: args.stubs_by_name(),
    }
}

/// Elements behind a pointer where the user says nothing.
pub(crate) fn array_len(args: &GenArgs) -> u64 {
    args.array_len.unwrap_or(InputOptions::default().array_len)
}

pub(crate) fn settings(args: &GenArgs, cancel: Arc<AtomicBool>) -> Settings {
    Settings {
        inputs: inputs(args),
        max_steps: args.max_steps,
        memory: args.memory,
        max_tests: args.max_tests,
        max_iterations: args.max_iterations,
        solver: match args.solver {
            SolverName::Bitwuzla => Backend::Bitwuzla,
            SolverName::Z3 => Backend::Z3,
        },
        solver_timeout: args.solver_timeout,
        strategy: args.strategy.unwrap_or_default(),
        seed: args.seed,
        loop_bound: args.loop_bound,
        max_depth: args.max_depth,
        coarsening: !args.no_coarsening,
        cancel,
    }
}

/// The suites that are asked for.
pub(crate) fn formats(args: &GenArgs) -> Vec<SuiteFormat> {
    args.suite
        .iter()
        .map(|name| match name {
            SuiteName::C => SuiteFormat::C,
            SuiteName::Cmocka => SuiteFormat::Cmocka,
            SuiteName::Unity => SuiteFormat::Unity,
            SuiteName::Check => SuiteFormat::Check,
            SuiteName::Gtest => SuiteFormat::Gtest,
            SuiteName::TestComp => SuiteFormat::TestComp,
            SuiteName::Ktest => SuiteFormat::Ktest,
        })
        .collect()
}
