//! Options of `test-comp`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::values::duration;

/// Make the test suite of a task of Test-Comp, as the competition asks for it
///
/// The task asks for its inputs with calls of __VERIFIER_nondet_int() and so on. The property says what to cover: each outcome of each
/// decision and each function (`coverage-branches.prp`), or a call of a function such as reach_error (`coverage-error-call.prp`).
/// Tests are written to DIR/test-suite as they are found, each file as a whole, so that being killed loses nothing. The search goes on until
/// everything is decided or the time is up.
///
///   covenant test-comp --property coverage-branches.prp --timeout 15m task.i
///   zip -r suite.zip test-suite && testcov -64 --test-suite suite.zip --goal coverage-branches.prp task.i
///
/// Exit code 0: everything is decided, or the call is reached. 1: something is open. 2: it could not run.
/// 3: covenant contradicted itself, which is always its own bug.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct TestCompArgs {
    /// The program to test, one C file, preprocessed or not
    #[arg(value_name = "TASK.c|.i")]
    pub(crate) task: PathBuf,
    /// What to cover: `COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )`, or with `@CALL(NAME)`
    #[arg(long, value_name = "FILE.prp")]
    pub(crate) property: PathBuf,
    /// How wide types are
    #[arg(long, value_enum, default_value_t = DataModel::Lp64, value_name = "MODEL", ignore_case = true)]
    pub(crate) data_model: DataModel,
    /// Where `test-suite` goes
    #[arg(short, long, default_value = ".", value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// End the search after this long
    #[arg(long, default_value = "15m", value_parser = duration, value_name = "DUR")]
    pub(crate) timeout: Duration,
    /// For what is random: the same seed gives the same search
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seed: u64,
    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DataModel {
    /// int, long and pointers have 32 bits
    #[value(name = "ILP32")]
    Ilp32,
    /// int has 32 bits, long and pointers have 64
    #[value(name = "LP64")]
    Lp64,
}

impl DataModel {
    /// How clang is told.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        }
    }
}
