//! `covenant replay`

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use covenant::{ReplayOptions, ReplayResult, Replayed, Session};
use covenant_report::replay::{TestReplay, Times};

use crate::COULD_NOT_RUN;
use crate::args::ReplayArgs;
use crate::diagnose::counted;

/// Of what a compiler says of tests that the code no longer fits.
const MOST_LINES: usize = 8; // not tuning: how much is told

/// A claim of ours does not hold.
pub(crate) const CONTRADICTION: u8 = 3; // not tuning: a status

pub(crate) fn run(args: &ReplayArgs) -> Result<u8> {
    let options = ReplayOptions { fencing: args.native.fencing(), ..ReplayOptions::default() };
    let replayed = Session::replay(&args.dir, &options, &|| false)?;
    if let (Replayed::Ran(result), true) = (&replayed, args.stats) {
        statistics(result);
    }
    Ok(say(&args.dir, &replayed, false))
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

/// Replays a suite and says what came of it, unless somebody has interrupted it.
pub(crate) fn confirm(dir: &Path, quiet: bool, options: &ReplayOptions, interrupted: &dyn Fn() -> bool) -> Result<u8> {
    Ok(say(dir, &Session::replay(dir, options, interrupted)?, quiet))
}

/// Prints what a replay found; the exit code that it means.
fn say(dir: &Path, replayed: &Replayed, quiet: bool) -> u8 {
    match replayed {
        Replayed::Interrupted => 0,
        Replayed::NotFenced(why) => {
            anstream::eprintln!("warning: the tests were not run natively: {why}");
            anstream::eprintln!(
                "  `--sandbox off` runs the code under test with your rights; `covenant doctor` says more"
            );
            1
        }
        Replayed::NotBuilt(message) => {
            let lines: Vec<&str> = message.lines().take(MOST_LINES).collect();
            anstream::eprintln!("warning: the tests were not run natively: they cannot be built for that machine here");
            anstream::eprintln!("{}", lines.join("\n"));
            anstream::eprintln!("  `covenant doctor --target MACHINE` says what is missing");
            1
        }
        Replayed::Changed { changes, now } => changed(dir, changes, now),
        Replayed::Ran(result) if result.differences.is_empty() => {
            if !quiet {
                agreement(result);
            }
            for (test, why) in &result.inconclusive {
                anstream::eprintln!("  not confirmed: test {test} {why} natively; what only it covers is open");
            }
            for line in &result.unexpected {
                anstream::eprintln!("  not as people expect: {line}");
            }
            u8::from(!result.inconclusive.is_empty() || !result.unexpected.is_empty())
        }
        Replayed::Ran(result) => {
            let place = dir.display();
            anstream::eprintln!("error: covenant contradicted itself; please send us {place} and these lines:");
            result.differences.iter().for_each(|difference| anstream::eprintln!("  {difference}"));
            CONTRADICTION
        }
    }
}

/// The code is another one now, so what its tests do contradicts nothing that was said of it.
fn changed(dir: &Path, changes: &[String], now: &Result<Box<ReplayResult>, String>) -> u8 {
    anstream::eprintln!("the code is not what it was when {} was made:", dir.display());
    changes.iter().for_each(|change| anstream::eprintln!("  {change}"));
    let code = match now {
        Err(message) => {
            let lines: Vec<&str> = message.lines().take(MOST_LINES).collect();
            anstream::eprintln!("its tests do not compile any more:\n{}", lines.join("\n"));
            COULD_NOT_RUN
        }
        Ok(result) => {
            let failed: Vec<&TestReplay> = result.tests.iter().filter(|test| !test.passed).collect();
            let all = counted(result.tests.len(), "test", "tests");
            anstream::eprintln!("{} of {all} pass", result.tests.len() - failed.len());
            for test in failed {
                let why = test.messages.first().cloned().unwrap_or_else(|| format!("it {}", test.end));
                anstream::eprintln!("  {}: {why}", test.name);
            }
            1
        }
    };
    anstream::eprintln!(
        "Results are about the code as it was: run `covenant gen` again; with `--existing {}` it keeps the tests that pass.",
        dir.display()
    );
    code
}

fn agreement(result: &ReplayResult) {
    let tests = result.tests.len() - result.inconclusive.len();
    let part = if result.unconfirmed.is_empty() { "" } else { " it can judge" };
    let tests = counted(tests, "test", "tests");
    anstream::println!("replay: {tests} run natively, llvm-cov agrees with every claim{part}");
    for (criterion, count) in &result.unconfirmed {
        let noun = criterion.noun(*count as usize);
        anstream::println!("  not counted by llvm-cov: {count} {noun} covered");
    }
    for note in &result.notes {
        anstream::println!("  note: {note}");
    }
}
