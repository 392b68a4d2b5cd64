//! `covenant replay`

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use covenant_report::replay::Times;
use covenant_report::{ReplayOptions, ReplayResult, files, replay, write_report};

use crate::args::ReplayArgs;

/// A claim of ours does not hold.
pub(crate) const CONTRADICTION: u8 = 3; // not tuning: a status

/// Puts into the report what the replay found out, besides contradictions.
fn settle(dir: &Path, result: &ReplayResult) -> Result<()> {
    let before = files::read_report(dir)?;
    let mut report = before.clone();
    if !result.tests.is_empty() {
        report.sandbox = Some(result.sandbox.clone());
    }
    for (test, why) in &result.inconclusive {
        report.withdraw(test, &format!("test {test} leads there, but natively it {why}, so that nothing confirms it"));
    }
    if report != before {
        write_report(dir, &report)?;
    }
    Ok(())
}

pub(crate) fn run(args: &ReplayArgs) -> Result<u8> {
    let options = ReplayOptions { fencing: args.native.fencing(), ..ReplayOptions::default() };
    let Some(result) = fenced(&args.dir, &options)? else { return Ok(1) };
    if args.stats {
        statistics(&result);
    }
    say(&args.dir, &result, false)
}

fn statistics(result: &ReplayResult) {
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let Times { build, tests, each } = &result.times;
    let mut each = each.clone();
    each.sort();
    let median = each.get(each.len() / 2).copied().unwrap_or_default();
    let counts = [("tests", each.len()), ("tests that llvm-cov was asked about alone", result.alone)];
    let times = [("build ms", *build), ("tests ms", *tests), ("median ms a test", median)];
    for (name, count) in counts {
        anstream::eprintln!("{name}: {count}");
    }
    for (name, time) in times {
        anstream::eprintln!("{name}: {:.2}", ms(time));
    }
}

/// `None` where nothing native may run, which was said.
fn fenced(dir: &Path, options: &ReplayOptions) -> Result<Option<ReplayResult>> {
    match replay(dir, options) {
        Err(covenant_report::Error::Fence(error)) => {
            anstream::eprintln!("warning: the tests were not run natively: {error}");
            anstream::eprintln!(
                "  `--sandbox off` runs the code under test with your rights; `covenant doctor` says more"
            );
            let mut report = files::read_report(dir)?;
            report.sandbox = Some(format!("no native runs: {error}"));
            write_report(dir, &report)?;
            Ok(None)
        }
        result => result.map(Some).context("the suite cannot be replayed natively"),
    }
}

/// Replays a suite and says what came of it, unless somebody has interrupted it.
pub(crate) fn confirm(dir: &Path, quiet: bool, options: &ReplayOptions, interrupted: &dyn Fn() -> bool) -> Result<u8> {
    let Some(result) = fenced(dir, options)? else { return Ok(1) };
    if interrupted() {
        return Ok(0);
    }
    say(dir, &result, quiet)
}

/// Prints what a replay found.
fn say(dir: &Path, result: &ReplayResult, quiet: bool) -> Result<u8> {
    if result.differences.is_empty() {
        if !quiet {
            let tests = result.tests.len() - result.inconclusive.len();
            let (tests, part) = (tests, if result.unconfirmed.is_empty() { "" } else { " it can judge" });
            anstream::println!("replay: {tests} tests run natively, llvm-cov agrees with every claim{part}");
            for (criterion, count) in &result.unconfirmed {
                let noun = criterion.noun(*count as usize);
                anstream::println!("  not counted by llvm-cov: {count} {noun} covered");
            }
            for note in &result.notes {
                anstream::println!("  note: {note}");
            }
        }
        for (test, why) in &result.inconclusive {
            anstream::eprintln!("  not confirmed: test {test} {why} natively; what only it covers is open");
        }
        settle(dir, result)?;
        return Ok(u8::from(!result.inconclusive.is_empty()));
    }
    anstream::eprintln!("error: covenant contradicted itself; please send us {} and these lines:", dir.display());
    for difference in &result.differences {
        anstream::eprintln!("  {difference}");
    }
    Ok(CONTRADICTION)
}
