//! All that is too slow for every change: the tests that are ignored otherwise, and random programs, functions and decisions.

use crate::{Args, carry_out};
use anyhow::{Context, Result};
use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The binary for the random ones, instead of building one
    #[arg(long, value_name = "PATH")]
    covenant: Option<PathBuf>,
    /// The first seed of the random ones
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The ignored test that needs a tool from outside.
const NOT_HERE: &str = "testcov_accepts_the_suite";
const RANDOM: &[&str] = &["fuzz-interp", "fuzz-verdicts", "fuzz-decisions", "fuzz-paths"];

/// Returns whether all of it passed. Goes on after a failure, so that one campaign tells everything.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let mut failed = Vec::new();
    if !ignored_tests(root)? {
        failed.push("tests");
    }
    let covenant = crate::covenant(root, options.covenant.as_deref())?;
    let (covenant, seed) = (covenant.to_str().context("a path that is no text")?, options.seed.to_string());
    for name in RANDOM {
        eprintln!("xtask {name}");
        let args = Args::try_parse_from(["xtask", name, "--seed", &seed, "--covenant", covenant])?;
        if !carry_out(root, args.chore).with_context(|| (*name).to_owned())? {
            failed.push(name);
        }
    }
    match failed.is_empty() {
        true => println!("the campaign passed"),
        false => println!("failed: {}", failed.join(", ")),
    }
    Ok(failed.is_empty())
}

fn ignored_tests(root: &Path) -> Result<bool> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["test", "--workspace", "--no-fail-fast", "--", "--ignored", "--skip", NOT_HERE]).current_dir(root);
    Ok(command.status().context("cannot start cargo")?.success())
}
