//! Options of `covenant gen` that are about a project and about earlier runs.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

/// A part of what `gen --all` does for a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Part {
    /// A search that others may follow.
    First,
    /// The next one: what decides less than what is there takes no place of it.
    Again,
    /// What comes when there are no more: suites, and the native run of their tests.
    Last,
}

impl Part {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Part::First => "first",
            Part::Again => "again",
            Part::Last => "last",
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct ProjectArgs {
    /// Every function of the project (-p DIR) or of the files, each in a process of its own, with one index page; those
    /// whose code and options are as they were are not analysed again
    #[arg(long, conflicts_with_all = ["function", "existing", "dump_model"], help_heading = super::PROJECT)]
    pub(crate) all: bool,
    /// With --all: analyse every function, also those that have not changed
    #[arg(long, requires = "all", help_heading = super::PROJECT)]
    pub(crate) fresh: bool,
    /// With --all: functions that have changed keep their tests that still run, as with --existing
    #[arg(long, requires = "all", conflicts_with = "since", help_heading = super::PROJECT)]
    pub(crate) keep: bool,
    /// With --all: only the Kth of N parts of the functions, as for one of N machines; `covenant merge` puts them together
    #[arg(long, requires = "all", value_name = "K/N", value_parser = super::values::partition, help_heading = super::PROJECT)]
    pub(crate) partition: Option<(u32, u32)>,
    /// With --all: hand the functions to the workers of a NATS server (`covenant worker`), as in nats://HOST, and take from its store
    /// what anybody has analysed before
    #[arg(long, requires = "all", value_name = "URL", help_heading = super::PROJECT)]
    pub(crate) on: Option<String>,
    #[command(flatten)]
    pub(crate) queue: super::queue::QueueArgs,
    /// Keep the tests of an earlier output directory that still run, and add only what they miss
    #[arg(long, value_name = "DIR", help_heading = super::PROJECT)]
    pub(crate) existing: Option<PathBuf>,
    /// Like --existing, and name what the tests of DIR no longer cover; with --all, DIR is that of all functions, and only
    /// those that have changed are analysed
    #[arg(long, value_name = "DIR", conflicts_with = "existing", help_heading = super::PROJECT)]
    pub(crate) since: Option<PathBuf>,
    /// Search only for what a suite that is there does not cover: lcov's coverage.info, or a .profdata (with --existing-program)
    #[arg(long, value_name = "FILE", help_heading = super::PROJECT)]
    pub(crate) existing_coverage: Option<PathBuf>,
    /// The program that wrote the .profdata of --existing-coverage
    #[arg(long, value_name = "FILE", requires = "existing_coverage", help_heading = super::PROJECT)]
    pub(crate) existing_program: Option<PathBuf>,
    /// Options for this project [covenant.toml, here or above]
    #[arg(long, value_name = "FILE", help_heading = super::PROJECT)]
    pub(crate) config: Option<PathBuf>,
    /// Write the contracts that were broken, as options of the function, to covenant.toml: proofs and tests then rest on them
    #[arg(long, conflicts_with_all = ["all", "no_config"], help_heading = super::PROJECT)]
    pub(crate) write_contracts: bool,
    /// With --all: `--timeout` is of the search alone, and the search is over after this long,
    /// whatever went before it
    #[arg(long, hide = true, value_parser = super::duration, value_name = "DUR", help_heading = super::PROJECT)]
    pub(crate) within: Option<Duration>,
    /// With --all: which part of the work on a function this is
    #[arg(long, hide = true, value_enum, value_name = "PART", help_heading = super::PROJECT)]
    pub(crate) part: Option<Part>,
    /// Read no covenant.toml
    #[arg(long, conflicts_with = "config", help_heading = super::PROJECT)]
    pub(crate) no_config: bool,
}
