//! `cargo xtask fuzz-paths`: verdicts on local paths of random functions, guided against plain generation.
//!
//! The functions are those of `fuzz-verdicts`: they call each other, have loops and write to memory. Guided generation excludes
//! paths by what their guards say and by what the functions give back that are called; plain generation knows nothing of
//! guards and explores all paths. None may call infeasible what the other has a test for.

use crate::words::Verdict;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process;
use crate::verdicts::generate;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How many functions
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// The first seed; each function takes the next
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The binary to test instead of building one
    #[arg(long, value_name = "PATH")]
    covenant: Option<PathBuf>,
    /// Time for each search, in seconds
    #[arg(long, default_value_t = 5)]
    timeout: u64,
}

/// For what comes after the search; beyond that it hangs.
const GRACE: Duration = Duration::from_secs(30);
const BOUND: &str = "2";
/// Functions after which the sums are shown.
const SHOWN: u64 = 20;

/// The verdict on each path.
type Verdicts = BTreeMap<String, Verdict>;

#[derive(Debug, Default, PartialEq, Eq)]
struct Sums {
    paths: usize,
    /// Of guided generation: infeasible, and those of them that plain generation says too.
    infeasible: usize,
    agreed: usize,
    contradictions: Vec<String>,
}

impl Sums {
    fn compare(&mut self, guided: &Verdicts, plain: &Verdicts) {
        self.paths += guided.len();
        for (path, &verdict) in guided {
            let other = plain.get(path).copied().unwrap_or_default();
            self.infeasible += usize::from(verdict == Verdict::Infeasible);
            match (verdict, other) {
                (Verdict::Infeasible, Verdict::Infeasible) => self.agreed += 1,
                (Verdict::Infeasible, Verdict::Covered) | (Verdict::Covered, Verdict::Infeasible) => {
                    self.contradictions.push(format!("{path} is {verdict} if guided and {other} if not"));
                }
                _ => {}
            }
        }
    }
}

/// Returns whether nothing was contradicted.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant(root, options.covenant.as_deref())?;
    let mut sums = Sums::default();
    for (done, seed) in (1..).zip(options.seed..options.seed.saturating_add(options.count)) {
        let before = sums.contradictions.len();
        let [guided, plain] = ["guided", "dfs"].map(|strategy| verdicts(&covenant, seed, strategy, options.timeout));
        sums.compare(&guided?, &plain?);
        for text in &sums.contradictions[before..] {
            println!("seed {seed}: {text}");
        }
        if done % SHOWN == 0 || done == options.count {
            println!(
                "{done} functions, {} local paths, {} infeasible, {} of these by plain generation too, {} contradictions",
                sums.paths,
                sums.infeasible,
                sums.agreed,
                sums.contradictions.len()
            );
        }
    }
    Ok(sums.contradictions.is_empty())
}

fn verdicts(covenant: &Path, seed: u64, strategy: &str, timeout: u64) -> Result<Verdicts> {
    let scratch = tempfile::tempdir()?;
    let subject = generate::subject(seed);
    fs::write(scratch.path().join("subject.c"), &subject.text)?;
    let mut command = Command::new(covenant);
    command.args(["gen", "subject.c", "-f", "subject", "--json", "--no-replay", "-c", "local-path"]);
    command.args(["--loop-bound", BOUND, "-s", strategy, "--timeout"]).arg(format!("{timeout}s"));
    command.args(&subject.options).current_dir(scratch.path());
    let done = process::run(&mut command, Duration::from_secs(timeout) + GRACE)?;
    let first = done.stderr.lines().next().unwrap_or_default();
    ensure!(matches!(done.status, Some(0 | 1)), "seed {seed} with {strategy}: status {:?}: {first}", done.status);
    let report: Value = serde_json::from_slice(&done.stdout).with_context(|| format!("seed {seed} with {strategy}"))?;
    let objectives = report["objectives"].as_array().context("a report without objectives")?;
    let id = |objective: &Value| objective["id"].as_str().unwrap_or_default().to_owned();
    Ok(objectives.iter().map(|objective| (id(objective), Verdict::of(objective))).collect())
}

#[cfg(test)]
mod tests {
    use super::Verdict::{Covered, Infeasible, Unknown};
    use super::*;

    #[test]
    fn contradictions_are_seen() {
        let verdicts = |all: [Verdict; 3]| -> Verdicts {
            all.iter().enumerate().map(|(i, verdict)| (format!("p{i}"), *verdict)).collect()
        };
        let mut sums = Sums::default();
        sums.compare(&verdicts([Covered, Infeasible, Infeasible]), &verdicts([Covered, Infeasible, Unknown]));
        assert_eq!(sums, Sums { paths: 3, infeasible: 2, agreed: 1, contradictions: Vec::new() });
        sums.compare(&verdicts([Covered, Infeasible, Unknown]), &verdicts([Infeasible, Covered, Covered]));
        assert_eq!(sums.contradictions.len(), 2);
    }
}
