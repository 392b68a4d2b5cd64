//! `covenant replay`

use std::path::Path;

use anyhow::{Context, Result};
use covenant_report::{ReplayOptions, replay};

use crate::args::ReplayArgs;

/// A claim of ours does not hold.
pub(crate) const CONTRADICTION: u8 = 3;

pub(crate) fn run(args: &ReplayArgs) -> Result<u8> {
    confirm(&args.dir, false)
}

/// Replays a suite and says what came of it.
pub(crate) fn confirm(dir: &Path, quiet: bool) -> Result<u8> {
    let result = replay(dir, &ReplayOptions::default()).context("the suite cannot be replayed natively")?;
    if result.differences.is_empty() {
        if !quiet {
            anstream::println!("replay: {} tests run natively, llvm-cov agrees with every claim", result.tests.len());
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
