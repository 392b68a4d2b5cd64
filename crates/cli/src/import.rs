//! `covenant import-results`: what a board said of its tests.

use anyhow::{Context, Result, bail};
use covenant_report::board::{self, State, SuiteOnBoard};

use crate::args::ImportArgs;

pub(crate) fn run(args: &ImportArgs) -> Result<u8> {
    let said = std::fs::read(&args.file).with_context(|| format!("{} cannot be read", args.file.display()))?;
    let Some(imported) = board::import(&args.dir, &said)? else {
        bail!("there is no embedded suite in {}: make one with `covenant gen --suite c,embedded`", args.dir.display())
    };
    for function in &imported.others {
        let name = if function.is_empty() { "a function" } else { function };
        anstream::eprintln!("warning: results of {name} are of another suite than the one in {}", args.dir.display());
    }
    if !imported.is_heard() {
        bail!("{} says nothing of the suites in {}", args.file.display(), args.dir.display())
    }
    for suite in &imported.suites {
        tell(suite);
    }
    let complete = imported.others.is_empty() && imported.suites.iter().all(SuiteOnBoard::is_complete);
    Ok(u8::from(!complete))
}

fn tell(suite: &SuiteOnBoard) {
    let count = suite.tests.len();
    let tests = if count == 1 { "test" } else { "tests" };
    anstream::println!("{}: {} of {count} {tests} passed on the board", suite.function, suite.passed());
    for run in &suite.tests {
        let test = &run.test;
        match &run.state {
            State::Passed => {}
            State::Failed(why) => anstream::println!("  {test} failed: {why}"),
            State::Stopped(why) if why.is_empty() => anstream::println!("  {test} did not end"),
            State::Stopped(why) => anstream::println!("  {test} did not end: {why}"),
            State::Missing => anstream::println!("  nothing was heard of {test}"),
        }
    }
}
