//! Options of the commands that work on the results of `covenant gen`: `replay`, `check`, `mutate`, `merge`; and of `init`, which
//! comes before it.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::sandbox::SandboxArgs;
use super::values::duration;

/// Compile a suite natively, run it, and compare llvm-cov's branches with what was claimed
///
/// Exit code 0: everything agrees. 3: a claim does not hold.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReplayArgs {
    /// The output directory of `covenant gen`, of one function or of all
    pub(crate) dir: PathBuf,
    /// Say on standard error what it took
    #[arg(long)]
    pub(crate) stats: bool,
    #[command(flatten)]
    pub(crate) native: SandboxArgs,
}

/// Confirm every proof with a second solver, cvc5
///
/// An objective that `gen` calls infeasible has a certificate in DIR/proofs: formulas that
/// hold whenever a run is at certain places of the program, and `false` where the objective
/// is. `check` compiles the program once more with the options of that run, takes from the
/// certificate the formulas and nothing else, and asks cvc5 for each step of the program
/// whether it keeps them. A certificate is
///
///   confirmed    if cvc5 says so for every step,
///   refused      if it does not prove its objective: it was changed, or covenant was wrong,
///   not checked  if cvc5 is missing, gives up or cannot read a term,
///   in words     if there is none: all paths were enumerated, say.
///
/// Each certificate is a commented SMT-LIB 2 script, to be read or run with any solver:
///
///   covenant gen queue.c -f queue_push -o out
///   covenant check out
///   less out/proofs/queue_push.12.7.true.smt2
///
/// Exit code 0: all certificates are confirmed. 1: something is not checked. 2: it could not
/// run, or the sources are not what they were. 3: something is refused.
#[derive(Args, Clone, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct CheckArgs {
    /// The output directory of `covenant gen`, of one function or of all
    pub(crate) dir: PathBuf,
    /// Give up on one step after this long
    #[arg(long, default_value = "30s", value_parser = duration, value_name = "DUR")]
    pub(crate) timeout: Duration,
    /// Certificates that are checked at the same time [all cores]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Print the results as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing but errors
    #[arg(long, conflicts_with = "json")]
    pub(crate) quiet: bool,
}

/// The mutation score of a suite: which small changes of the source its tests notice
///
/// Operators and constants of the functions under test are changed, one at a time: `<` becomes `<=`, `&&` becomes `||`,
/// `+` becomes `-`, 10 becomes 11. All mutants are compiled into one program, and the suite runs against each. A mutant is
///
///   killed      if a test fails, crashes or does not end in time, or sanitizers notice it in a test,
///   equivalent  if the change was proved never to make a difference (with the reason),
///   survived    if neither: a test is missing, or nothing that the tests look at depends on it.
///
/// Exit code 0: no mutant survived. 1: some did. 2: it could not run.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct MutateArgs {
    /// The output directory of `covenant gen`
    pub(crate) dir: PathBuf,
    /// Add tests that kill survivors to the suite
    #[arg(long)]
    pub(crate) improve: bool,
    /// Look so long for proofs and tests about survivors; 0 for not at all
    #[arg(long, default_value = "30s", value_parser = duration, value_name = "DUR")]
    pub(crate) timeout: Duration,
    /// Mutants that run at the same time [all cores]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Print the results as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) native: SandboxArgs,
}

/// One result from those of several partitions
///
/// Each DIR is the output directory of `covenant gen --all --partition K/N`. What comes of it is what `gen --all` on one machine
/// gives. A function that several of them have is taken from the one that decided more of it.
///
///   covenant merge part-1 part-2 part-3 -o covenant-out
///
/// Exit codes are those of `gen --all`.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct MergeArgs {
    /// The output directories
    #[arg(required = true, value_name = "DIR")]
    pub(crate) dirs: Vec<PathBuf>,
    /// Where to write the results
    #[arg(short, long, value_name = "DIR", default_value = "covenant-out")]
    pub(crate) out: PathBuf,
    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Hold what a board said of its tests against the embedded suites
///
/// FILE is a log of the board's output, with other words between those of the tests if need be, or a dump of memory with the
/// table `covenant_results` in it. The suites are those of `gen --suite embedded`.
///
///   covenant import-results serial.log
///
/// Exit code 0: all tests ran and passed. 1: some failed, did not end, or were not heard of. 2: FILE says nothing of these suites.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct ImportArgs {
    /// What the board said
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The output directory
    #[arg(value_name = "DIR", default_value = "covenant-out")]
    pub(crate) dir: PathBuf,
}

/// Write covenant.toml from compile_commands.json
///
/// It says where the project is, which folders are not code under test, and in which framework suites are written, as far as the
/// files tell. `covenant gen --all` then needs no option.
///
///   cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON && covenant init
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct InitArgs {
    /// The folder that has compile_commands.json [here, or one folder below]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Replace a covenant.toml that is there
    #[arg(long)]
    pub(crate) force: bool,
}
