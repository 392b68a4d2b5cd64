//! The annotations in the leading `//` comment of a hostile subject.
//!
//! ```c
//! // options: --array-len 48                    further options of `covenant gen`, for all cases of the file
//! // case: NAME exit 0|1                        a function to test, and the exit codes that it may have
//! // case: NAME exit 1 says `fork`              and a text that must be among what is printed
//! // case: NAME exit 0 with --stub fork=any     and options of its own
//! ```

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) function: String,
    pub(crate) exits: Vec<i32>,
    pub(crate) says: Option<String>,
    pub(crate) options: Vec<String>,
}

pub(crate) fn cases(file: &Path) -> Result<Vec<Case>> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let head = || text.lines().map_while(|line| line.strip_prefix("// "));
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let common: Vec<String> = head().filter_map(|line| line.strip_prefix("options: ")).flat_map(words).collect();
    let mut cases = Vec::new();
    for line in head().filter_map(|line| line.strip_prefix("case: ")) {
        let mut case = one(line).with_context(|| format!("{}: {line}", file.display()))?;
        case.options.splice(0..0, common.iter().cloned());
        cases.push(case);
    }
    ensure!(!cases.is_empty(), "{} has no case", file.display());
    Ok(cases)
}

fn one(line: &str) -> Result<Case> {
    let (line, options) = line.split_once(" with ").unwrap_or((line, ""));
    let (line, says) = line.split_once(" says ").map_or((line, None), |(line, says)| (line, Some(says.to_owned())));
    let (function, exits) = line.split_once(" exit ").context("expected `NAME exit CODE|CODE`")?;
    let exits = exits.split('|').map(str::parse).collect::<Result<Vec<i32>, _>>()?;
    ensure!(!exits.contains(&3), "a contradiction is never expected");
    let options = options.split_whitespace().map(str::to_owned).collect();
    Ok(Case { function: function.to_owned(), exits, says, options })
}
