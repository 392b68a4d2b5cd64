//! The subjects of `tests/c/sound`: each marks outcomes that some caller of the function can take.
//!
//! ```c
//! // function: NAME                     the function to test
//! // options: -c runtime-error          further options of `covenant gen`
//! // reachable: LINE:COLUMN OUTCOME     an outcome that some caller can take, as inputs or as functions of its own
//! ```
//!
//! Whatever the strategy, none of these may be called infeasible, and nothing may contradict itself (exit code 3). That an
//! outcome is left open is no failure here. `sound::NAME` gives each strategy two seconds and replays the tests of the
//! first; `longer::NAME`, which is ignored unless asked for, gives each ten and replays all.

use super::{objectives, process, report};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const STRATEGIES: &[&str] = &["arc", "dfs", "shortest"];
const LIMIT: Duration = Duration::from_secs(240);
const CONTRADICTION: i32 = 3;

#[derive(Debug, Default)]
struct Marks {
    function: String,
    options: Vec<String>,
    /// Line, column, outcome.
    reachable: Vec<(u64, u64, String)>,
}

impl Marks {
    fn read(file: &Path) -> Result<Marks> {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let mut marks = Marks::default();
        for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
            if let Some(name) = line.strip_prefix("function: ") {
                name.clone_into(&mut marks.function);
            } else if let Some(options) = line.strip_prefix("options: ") {
                marks.options = options.split_whitespace().map(str::to_owned).collect();
            } else if let Some(mark) = line.strip_prefix("reachable: ") {
                marks.reachable.push(parse(mark).with_context(|| format!("{}: {line}", file.display()))?);
            }
        }
        ensure!(!marks.function.is_empty(), "{} names no function", file.display());
        ensure!(!marks.reachable.is_empty(), "{} marks no outcome", file.display());
        Ok(marks)
    }
}

/// `7:12 true`
fn parse(mark: &str) -> Option<(u64, u64, String)> {
    let (place, outcome) = mark.split_once(' ')?;
    let (line, column) = place.split_once(':')?;
    Some((line.parse().ok()?, column.parse().ok()?, outcome.to_owned()))
}

pub(crate) fn check(file: &Path, long: bool) -> Result<()> {
    let marks = Marks::read(file)?;
    let options = |strategy| match (long, strategy == STRATEGIES[0]) {
        (true, _) => &["--timeout", "10s"][..],
        (false, true) => &["--timeout", "2s"],
        (false, false) => &["--timeout", "2s", "--no-replay"],
    };
    let each = |strategy| holds(file, &marks, strategy, options(strategy)).with_context(|| format!("with {strategy}"));
    STRATEGIES.iter().copied().try_for_each(each)
}

fn holds(file: &Path, marks: &Marks, strategy: &str, options: &[&str]) -> Result<()> {
    let home = tempfile::tempdir()?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_covenant"));
    command.arg("gen").arg(file).args(["-f", &marks.function]).args(&marks.options);
    command.args(["--strategy", strategy, "--json", "-o", "out"]).args(options).current_dir(home.path());
    let done = process::run(command, &[], LIMIT)?;
    let words = || process::tail(&done.stderr, 10);
    ensure!(done.status != Some(CONTRADICTION), "a contradiction:\n{}", words());
    ensure!(matches!(done.status, Some(0 | 1)), "exit code {:?}\n{}", done.status, words());
    let report = report(&done)?;
    for (line, column, outcome) in &marks.reachable {
        let is_it = |o: &&serde_json::Value| o["line"] == *line && o["column"] == *column && o["outcome"] == **outcome;
        let mut there = objectives(&report).iter().filter(is_it).peekable();
        ensure!(there.peek().is_some(), "no objective {line}:{column} {outcome}");
        let wrong: Vec<&serde_json::Value> = there.filter(|o| o["verdict"] == "infeasible").collect();
        ensure!(wrong.is_empty(), "{line}:{column} {outcome} is called infeasible: {wrong:?}");
    }
    Ok(())
}
