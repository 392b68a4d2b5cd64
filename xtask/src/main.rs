//! Chores of the workspace: `cargo xtask COMMAND`.

mod arc;
mod bench;
mod bench_gen;
mod campaign;
mod criteria;
mod decisions;
mod dist;
mod format;
mod fuzz;
mod guided;
mod paths;
mod picture;
mod process;
mod programs;
mod real;
mod replay;
mod scale;
mod stats;
mod strategies;
mod suites;
mod test_comp;
mod tidy;
mod tidy_tuning;
mod verdicts;
mod words;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

#[derive(Debug, Parser)]
#[command(about = "Chores of the workspace")]
struct Args {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Check what a reviewer should not have to: long files, forbidden words, paths of one machine, annotations of tests.
    Tidy,
    /// Format all Rust files, also those that registries declare, which `cargo fmt` does not see.
    Fmt {
        /// Only say whether something is to be done.
        #[arg(long)]
        check: bool,
    },
    /// Compare `covenant run` with native binaries on random programs from csmith.
    FuzzInterp(fuzz::Options),
    /// Draw the picture of the README anew.
    Picture,
    /// Compare the verdicts of `covenant gen` with brute force on random functions of 16 bits of input.
    FuzzVerdicts(verdicts::Options),
    /// Compare MC/DC verdicts on random decisions with all inputs and with llvm-cov.
    FuzzDecisions(decisions::Options),
    /// Compare verdicts on local paths of random functions, guided and plain.
    FuzzPaths(paths::Options),
    /// All that is too slow for every change: the ignored tests, then all random programs, functions and decisions.
    Campaign(campaign::Options),
    /// Kill workers and the server of a work queue at moments of chance: results must be those of one machine.
    KillQueue(scale::kills::Options),
    /// Make what people install: a tarball and a .deb, in target/dist.
    Dist(dist::Options),
    /// Measure, and save the table in bench/results.
    Bench {
        #[command(subcommand)]
        what: Bench,
    },
}

#[derive(Debug, Subcommand)]
enum Bench {
    /// The interpreter against `clang -O0` on the kernels of bench/interp.
    Interp(bench::Options),
    /// Test generation on the subjects of tests/c/gen.
    Gen(bench_gen::Options),
    /// The tables of the paper on boundary values and MC/DC, with the subjects of bench/criteria.
    Criteria(criteria::Options),
    /// The tables of the paper on abstraction refinement and coarsening.
    Arc(arc::Options),
    /// The tables of the paper on guided generation, with the subjects of bench/guided.
    Guided(guided::Options),
    /// Every search strategy side by side, on the subjects of bench/strategies.
    Strategies(strategies::Options),
    /// Every function of libraries that nobody here wrote, each for a short time.
    Real(real::Options),
    /// Every suite of every function, built by each compiler for each standard, and run.
    Suites(suites::Options),
    /// Whole programs of bench/programs, each from its source alone, and replayed through the program itself.
    Programs(programs::Options),
    /// Tasks of Test-Comp's kind, with suites that TestCov measures.
    TestComp(test_comp::Options),
    /// A generated project of 2,000 functions: time, memory, its page and exports, and one worker of a queue against two.
    Scale(scale::Options),
    /// The native replay: time a test, and whether one false claim among many is found.
    Replay(replay::Options),
}

fn main() -> Result<ExitCode> {
    let good = carry_out(&workspace_root()?, Args::parse().chore)?;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns whether all was as it should be.
fn carry_out(root: &Path, chore: Chore) -> Result<bool> {
    match chore {
        Chore::Campaign(options) => campaign::run(root, &options),
        Chore::KillQueue(options) => scale::kills::run(root, &options),
        Chore::Dist(options) => dist::run(root, &options),
        Chore::Tidy => tidy::run(root),
        Chore::Fmt { check } => format::run(root, check),
        Chore::FuzzInterp(options) => fuzz::run(root, &options),
        Chore::Picture => picture::run(root),
        Chore::FuzzVerdicts(options) => verdicts::run(root, &options),
        Chore::FuzzDecisions(options) => decisions::run(root, &options),
        Chore::FuzzPaths(options) => paths::run(root, &options),
        Chore::Bench { what: Bench::Criteria(options) } => criteria::run(root, &options),
        Chore::Bench { what: Bench::Guided(options) } => guided::run(root, &options),
        Chore::Bench { what: Bench::Interp(options) } => bench::run(root, &options),
        Chore::Bench { what: Bench::Gen(options) } => bench_gen::run(root, &options),
        Chore::Bench { what: Bench::Real(options) } => real::run(root, &options),
        Chore::Bench { what: Bench::Programs(options) } => programs::run(root, &options),
        Chore::Bench { what: Bench::TestComp(options) } => test_comp::run(root, &options),
        Chore::Bench { what: Bench::Scale(options) } => scale::run(root, &options),
        Chore::Bench { what: Bench::Replay(options) } => replay::run(root, &options),
        Chore::Bench { what: Bench::Suites(options) } => suites::run(root, &options),
        Chore::Bench { what: Bench::Arc(options) } => arc::run(root, &options),
        Chore::Bench { what: Bench::Strategies(options) } => strategies::run(root, &options),
    }
}

fn workspace_root() -> Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask has no parent directory")?;
    Ok(root.to_owned())
}

/// The binary that was named, or one that is built now.
fn covenant(root: &Path, named: Option<&Path>) -> Result<PathBuf> {
    match named {
        Some(path) => path.canonicalize().with_context(|| format!("no binary {}", path.display())),
        None => build(root, "covenant-cli"),
    }
}

/// The same, with `covenant-worker` beside it.
fn covenant_for_queues(root: &Path, named: Option<&Path>) -> Result<PathBuf> {
    if named.is_none() {
        build(root, "covenant-worker")?;
    }
    covenant(root, named)
}

/// Builds a package for release and says where covenant is.
fn build(root: &Path, package: &str) -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--package", package, "--quiet"])
        .current_dir(root)
        .status()
        .context("cannot start cargo")?;
    anyhow::ensure!(status.success(), "{package} does not build");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release/covenant"))
}
