//! `covenant replay`

use std::path::Path;

use anyhow::{Context, Result};
use covenant_goals::Criterion;
use covenant_report::{ReplayOptions, replay};

use crate::args::ReplayArgs;

/// A claim of ours does not hold.
pub(crate) const CONTRADICTION: u8 = 3;

pub(crate) fn run(args: &ReplayArgs) -> Result<u8> {
    let options = ReplayOptions { fencing: args.native.fencing(), ..ReplayOptions::default() };
    confirm(&args.dir, false, &options, &|| false)
}

/// Replays a suite and says what came of it, unless somebody has interrupted it.
pub(crate) fn confirm(dir: &Path, quiet: bool, options: &ReplayOptions, interrupted: &dyn Fn() -> bool) -> Result<u8> {
    let result = replay(dir, options).context("the suite cannot be replayed natively")?;
    if interrupted() {
        return Ok(0);
    }
    if result.differences.is_empty() {
        if !quiet {
            let (tests, part) = (result.tests.len(), if result.unconfirmed.is_empty() { "" } else { " it can judge" });
            anstream::println!("replay: {tests} tests run natively, llvm-cov agrees with every claim{part}");
            for (criterion, count) in &result.unconfirmed {
                let noun = criterion.parse::<Criterion>().map_or("objectives", |c| c.noun(*count as usize));
                anstream::println!("  not counted by llvm-cov: {count} {noun} covered");
            }
            for note in &result.notes {
                anstream::println!("  note: {note}");
            }
        }
        return Ok(0);
    }
    anstream::eprintln!("error: covenant contradicted itself; please send us {} and these lines:", dir.display());
    for difference in &result.differences {
        anstream::eprintln!("  {difference}");
    }
    Ok(CONTRADICTION)
}
