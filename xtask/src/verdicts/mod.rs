//! Verdicts against brute force: random functions of about 16 bits of input, all inputs run natively.
//!
//! No `covered` may be false and no `infeasible` may be false. When a run is complete and leaves nothing unknown, both
//! sets are the whole truth.

mod generate;
mod native;

use crate::process;
use anyhow::{Context, Result};
use clap::Args;
use generate::Subject;
use native::{Branches, Truth};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// How many functions
    #[arg(long, default_value_t = 300)]
    count: usize,
    /// The first seed; each function takes the next
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many functions at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// A small fixed set, for CI
    #[arg(long)]
    small: bool,
    /// The binary to test instead of building one
    #[arg(long, value_name = "PATH")]
    covenant: Option<PathBuf>,
    /// Time for the search of one function, in seconds
    #[arg(long, default_value_t = 20)]
    timeout: u64,
}

const SMALL_COUNT: usize = 20;
const SMALL_SEED: u64 = 10_001;
/// For what comes after the search; beyond that it hangs.
const GRACE: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
struct Tally {
    functions: usize,
    complete: usize,
    objectives: usize,
    covered: usize,
    infeasible: usize,
    unknown: usize,
    /// How many objectives are unknown for a reason.
    reasons: BTreeMap<String, usize>,
    contradictions: Vec<String>,
}

/// Returns whether nothing was contradicted.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = match &options.covenant {
        Some(path) => path.canonicalize().with_context(|| format!("no binary {}", path.display()))?,
        None => crate::build_covenant(root)?,
    };
    let (count, seed) = if options.small { (SMALL_COUNT, SMALL_SEED) } else { (options.count, options.seed) };
    let kept = root.join("target/fuzz-verdicts");
    fs::create_dir_all(&kept)?;
    let campaign = Campaign { covenant, kept, timeout: options.timeout };
    let next = AtomicUsize::new(0);
    let sum = Mutex::new((Tally::default(), None));
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    let one = campaign.one(seed + index as u64);
                    let Ok(mut sum) = sum.lock() else { break };
                    match one {
                        Ok(one) => sum.0.add(one, count, start),
                        Err(error) => sum.1 = Some(error.context(format!("seed {}", seed + index as u64))),
                    }
                }
            });
        }
    });
    let (sum, error) = sum.into_inner().map_err(|_| anyhow::anyhow!("a worker failed"))?;
    sum.print(start);
    for (reason, count) in &sum.reasons {
        println!("{count} unknown: {reason}");
    }
    if !sum.contradictions.is_empty() {
        println!("the functions are in {}", campaign.kept.display());
    }
    match error {
        Some(error) => Err(error),
        None => Ok(sum.contradictions.is_empty() && sum.covered > 0),
    }
}

impl Tally {
    fn add(&mut self, one: Self, count: usize, start: Instant) {
        for text in &one.contradictions {
            println!("{text}");
        }
        self.functions += one.functions;
        self.complete += one.complete;
        self.objectives += one.objectives;
        self.covered += one.covered;
        self.infeasible += one.infeasible;
        self.unknown += one.unknown;
        for (reason, count) in one.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
        self.contradictions.extend(one.contradictions);
        if self.functions.is_multiple_of(50) && self.functions < count {
            self.print(start);
        }
    }

    fn print(&self, start: Instant) {
        println!(
            "{} functions ({} complete), {} objectives: {} covered, {} infeasible, {} unknown; {} contradictions; {} s",
            self.functions,
            self.complete,
            self.objectives,
            self.covered,
            self.infeasible,
            self.unknown,
            self.contradictions.len(),
            start.elapsed().as_secs()
        );
    }
}

struct Campaign {
    covenant: PathBuf,
    /// Where functions stay that covenant got wrong.
    kept: PathBuf,
    timeout: u64,
}

impl Campaign {
    fn one(&self, seed: u64) -> Result<Tally> {
        let scratch = tempfile::tempdir()?;
        let subject = generate::subject(seed);
        let source = scratch.path().join("subject.c");
        let head = format!("// covenant gen -f subject {}\n", subject.options.join(" "));
        fs::write(&source, head + &subject.text)?;
        let truth = native::brute_force(scratch.path(), &subject)?;
        let mut tally = Tally { functions: 1, ..Tally::default() };
        let problems = match self.generate(scratch.path(), &subject)? {
            Ok(report) => compare(&report, &truth, &mut tally)?,
            Err(failure) => vec![failure],
        };
        if !problems.is_empty() {
            fs::copy(&source, self.kept.join(format!("seed{seed}.c")))?;
        }
        tally.contradictions = problems.into_iter().map(|text| format!("seed {seed}: {text}")).collect();
        Ok(tally)
    }

    /// The report, or in words why there is none.
    fn generate(&self, dir: &Path, subject: &Subject) -> Result<Result<Value, String>> {
        let mut command = Command::new(&self.covenant);
        command.args(["gen", "subject.c", "-f", "subject", "--json", "--no-replay", "--timeout"]);
        command.arg(format!("{}s", self.timeout)).args(subject.options).current_dir(dir);
        let done = process::run(&mut command, Duration::from_secs(self.timeout) + GRACE)?;
        Ok(match done.status {
            Some(0 | 1) => serde_json::from_slice(&done.stdout).map_err(|error| format!("report: {error}")),
            Some(code) => Err(format!("exit code {code}: {}", done.stderr.lines().next().unwrap_or_default())),
            None => Err("covenant does not end".to_owned()),
        })
    }
}

/// Counts the objectives of `report` and gives all that the truth denies, in words.
fn compare(report: &Value, truth: &Truth, tally: &mut Tally) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    let objectives = report["objectives"].as_array().context("a report without objectives")?;
    let mut stated = Branches::new();
    let mut unknown = 0;
    for objective in objectives {
        let name = objective["id"].as_str().unwrap_or_default();
        let place = (objective["line"].as_u64().unwrap_or(0), objective["column"].as_u64().unwrap_or(0));
        let on_false = objective["outcome"] == "false";
        let entry = stated.entry(place).or_default();
        *(if on_false { &mut entry.1 } else { &mut entry.0 }) = true;
        let holds = |branches: &Branches| branches.get(&place).map(|both| if on_false { both.1 } else { both.0 });
        let Some(possible) = holds(&truth.possible) else {
            problems.push(format!("{name} is no branch of llvm-cov"));
            continue;
        };
        match objective["verdict"].as_str() {
            Some("covered") => {
                tally.covered += 1;
                if !possible {
                    problems.push(format!("{name} is covered, but no input takes it"));
                }
            }
            Some("infeasible") => {
                tally.infeasible += 1;
                if holds(&truth.certain) == Some(true) {
                    problems.push(format!("{name} is infeasible, but an input takes it"));
                }
            }
            _ => {
                unknown += 1;
                *tally.reasons.entry(reason(objective)).or_default() += 1;
            }
        }
    }
    // What llvm-cov folded has no counts, and what was never reached may be in a function that is never called.
    for (place, taken) in &truth.certain {
        if (taken.0 || taken.1) && !stated.contains_key(place) {
            problems.push(format!("{}:{} is no objective", place.0, place.1));
        }
    }
    tally.objectives = objectives.len();
    tally.unknown = unknown;
    tally.complete = usize::from(report["status"] == "complete" && unknown == 0);
    Ok(problems)
}

/// The first of the reasons why an objective is unknown.
fn reason(objective: &Value) -> String {
    let text = objective["reason"].as_str().unwrap_or("no reason");
    text.split(';').next().unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Branches, Tally, Truth, compare};
    use serde_json::json;

    fn truth() -> Truth {
        let branches = Branches::from([((3, 7), (true, false)), ((4, 5), (false, true))]);
        Truth { certain: branches.clone(), possible: branches }
    }

    fn objective(line: u64, column: u64, outcome: &str, verdict: &str) -> serde_json::Value {
        json!({"id": format!("{line}:{outcome}"), "line": line, "column": column, "outcome": outcome, "verdict": verdict})
    }

    #[test]
    fn true_claims_pass() {
        let report = json!({"status": "complete", "objectives": [
            objective(3, 7, "true", "covered"), objective(3, 7, "false", "infeasible"),
            objective(4, 5, "case 3", "infeasible")]});
        let mut tally = Tally::default();
        assert!(compare(&report, &truth(), &mut tally).unwrap().is_empty());
        assert_eq!((tally.covered, tally.infeasible, tally.complete), (1, 2, 1));
    }

    #[test]
    fn each_false_claim_is_found() {
        let report = json!({"status": "complete", "objectives": [
            objective(3, 7, "true", "infeasible"), objective(3, 7, "false", "covered"),
            objective(9, 9, "true", "covered")]});
        let problems = compare(&report, &truth(), &mut Tally::default()).unwrap();
        let expected = [
            "3:true is infeasible, but an input takes it",
            "3:false is covered, but no input takes it",
            "9:true is no branch of llvm-cov",
            "4:5 is no objective",
        ];
        assert_eq!(problems, expected);
    }
}
