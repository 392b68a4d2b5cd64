//! Verdicts against brute force: random functions of about 16 bits of input, all inputs run natively.
//!
//! No `covered` may be false and no `infeasible` may be false. When a run is complete and leaves nothing unknown, both
//! sets are the whole truth. A function may not end on some inputs: see `native`.

pub(crate) mod generate;
mod native;
mod tally;

use crate::process;
use crate::words::{Status, Verdict};
use anyhow::{Context, Result};
use clap::Args;
use generate::Subject;
use native::{Branches, Truth};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tally::{Known, Tally};

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
    #[arg(long, default_value_t = 5)]
    timeout: u64,
    /// Another strategy than the default
    #[arg(long, value_name = "NAME")]
    strategy: Option<String>,
    /// Let `covenant check` confirm the certificates too
    #[arg(long)]
    check: bool,
}

const SMALL_COUNT: usize = 20;
const SMALL_SEED: u64 = 10_001;
/// For what comes after the search; beyond that it hangs.
const GRACE: Duration = Duration::from_secs(30);

/// Returns whether nothing was contradicted.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant(root, options.covenant.as_deref())?;
    let (count, seed) = if options.small { (SMALL_COUNT, SMALL_SEED) } else { (options.count, options.seed) };
    let kept = root.join("target/fuzz-verdicts");
    fs::create_dir_all(&kept)?;
    let campaign =
        Campaign { covenant, kept, timeout: options.timeout, strategy: options.strategy.clone(), check: options.check };
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
                        Ok(one) => {
                            sum.0.add(one);
                            if sum.0.functions.is_multiple_of(50) && sum.0.functions < count {
                                sum.0.print(start);
                            }
                        }
                        Err(error) => sum.1 = Some(error.context(format!("seed {}", seed + index as u64))),
                    }
                }
            });
        }
    });
    let (sum, error) = sum.into_inner().map_err(|_| anyhow::anyhow!("a worker failed"))?;
    sum.print(start);
    sum.print_shares();
    if !sum.contradictions.is_empty() {
        println!("the functions are in {}; all contradictions once more:", campaign.kept.display());
        for text in &sum.contradictions {
            println!("{text}");
        }
    }
    match error {
        Some(error) => Err(error),
        None => Ok(sum.contradictions.is_empty() && sum.covered > 0),
    }
}

struct Campaign {
    covenant: PathBuf,
    /// Where functions stay that covenant got wrong.
    kept: PathBuf,
    timeout: u64,
    strategy: Option<String>,
    check: bool,
}

impl Campaign {
    fn one(&self, seed: u64) -> Result<Tally> {
        let scratch = tempfile::tempdir()?;
        let subject = generate::subject(seed);
        let source = scratch.path().join("subject.c");
        let head = format!("// covenant gen -f subject {}\n", self.options(&subject).join(" "));
        fs::write(&source, head + &subject.text)?;
        let truth = native::brute_force(scratch.path(), &subject)?;
        let mut tally = Tally { functions: 1, ended: usize::from(truth.ended), ..Tally::default() };
        let problems = match self.generate(scratch.path(), &subject)? {
            Ok(report) => compare(&report, &truth, &mut tally)?,
            Err(failure) => vec![failure],
        };
        if !problems.is_empty() {
            fs::copy(&source, self.kept.join(format!("seed{seed}.c")))?;
        }
        tally.contradictions = problems.into_iter().map(|text| format!("seed {seed}: {text}")).collect();
        for text in &tally.contradictions {
            println!("{text}; again with: {}", self.again(seed));
        }
        Ok(tally)
    }

    fn options<'a>(&'a self, subject: &'a Subject) -> Vec<&'a str> {
        let mut options = subject.options.to_vec();
        options.extend(self.strategy.iter().flat_map(|name| ["-s", name.as_str()]));
        options
    }

    /// The command that runs one seed once more.
    fn again(&self, seed: u64) -> String {
        let mut text = format!("cargo xtask fuzz-verdicts --count 1 --seed {seed} --timeout {}", self.timeout);
        text.extend(self.strategy.iter().map(|name| format!(" --strategy {name}")));
        text + if self.check { " --check" } else { "" }
    }

    /// The report, or in words why there is none.
    fn generate(&self, dir: &Path, subject: &Subject) -> Result<Result<Value, String>> {
        let mut command = Command::new(&self.covenant);
        command.args(["gen", "subject.c", "-f", "subject", "--json", "--no-replay", "--timeout"]);
        command.arg(format!("{}s", self.timeout)).args(self.options(subject)).current_dir(dir);
        let done = process::run(&mut command, Duration::from_secs(self.timeout) + GRACE)?;
        Ok(match done.status {
            Some(0 | 1) => match self.check(dir)? {
                Some(problem) => Err(problem),
                None => serde_json::from_slice(&done.stdout).map_err(|error| format!("report: {error}")),
            },
            Some(code) => Err(format!("exit code {code}: {}", done.stderr.lines().next().unwrap_or_default())),
            None => Err("covenant does not end".to_owned()),
        })
    }

    /// What `covenant check` refuses, if it is asked.
    fn check(&self, dir: &Path) -> Result<Option<String>> {
        if !self.check {
            return Ok(None);
        }
        let mut command = Command::new(&self.covenant);
        command.args(["check", "covenant-out/subject"]).current_dir(dir);
        let done = process::run(&mut command, GRACE)?;
        let first = done.stderr.lines().next().unwrap_or_default();
        Ok((done.status != Some(0)).then(|| format!("covenant check: status {:?}: {first}", done.status)))
    }
}

/// Counts the objectives of `report` and gives all that the truth denies, in words.
fn compare(report: &Value, truth: &Truth, tally: &mut Tally) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    let objectives = report["objectives"].as_array().context("a report without objectives")?;
    let mut stated = Branches::new();
    for objective in objectives {
        let name = objective["id"].as_str().unwrap_or_default();
        let place = (objective["line"].as_u64().unwrap_or(0), objective["column"].as_u64().unwrap_or(0));
        let on_false = objective["outcome"] == "false";
        let entry = stated.entry(place).or_default();
        *(if on_false { &mut entry.1 } else { &mut entry.0 }) = true;
        let Some(known) = truth.known(place, on_false) else {
            problems.push(format!("{name} is no branch of llvm-cov"));
            continue;
        };
        tally.count(objective, known);
        match (Verdict::of(objective), known) {
            (Verdict::Covered, Known::Never) => problems.push(format!("{name} is covered, but no input takes it")),
            (Verdict::Infeasible, Known::Taken) => {
                problems.push(format!("{name} is infeasible, but an input takes it"));
            }
            _ => {}
        }
    }
    // What llvm-cov folded has no counts, and what was never reached may be in a function that is never called.
    for (place, taken) in &truth.certain {
        if (taken.0 || taken.1) && !stated.contains_key(place) {
            problems.push(format!("{}:{} is no objective", place.0, place.1));
        }
    }
    tally.complete = usize::from(Status::of(report) == Status::Complete && tally.unknown == 0);
    Ok(problems)
}

#[cfg(test)]
mod tests {
    use super::{Branches, Tally, Truth, compare};
    use serde_json::json;

    fn truth() -> Truth {
        let branches = Branches::from([((3, 7), (true, false)), ((4, 5), (false, true))]);
        Truth { certain: branches.clone(), possible: branches, ended: true }
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

    #[test]
    fn what_lies_between_the_bounds_is_not_judged() {
        let report = json!({"status": "complete", "objectives": [
            objective(3, 7, "true", "covered"), objective(3, 7, "false", "infeasible"),
            objective(4, 5, "true", "covered"), objective(4, 5, "false", "infeasible")]});
        let possible = Branches::from([((3, 7), (true, true)), ((4, 5), (true, true))]);
        let certain = Branches::from([((3, 7), (true, false)), ((4, 5), (false, false))]);
        let mut tally = Tally::default();
        let truth = Truth { certain, possible, ended: true };
        assert!(compare(&report, &truth, &mut tally).unwrap().is_empty());
        assert_eq!(tally.not_judged, 3);
    }

    #[test]
    fn what_an_endless_run_may_take_is_no_contradiction() {
        let report = json!({"status": "complete", "objectives": [
            objective(3, 7, "true", "infeasible"), objective(3, 7, "false", "covered"),
            objective(4, 5, "false", "covered")]});
        let truth = Truth { ended: false, ..truth() };
        let problems = compare(&report, &truth, &mut Tally::default()).unwrap();
        assert_eq!(problems, ["3:true is infeasible, but an input takes it"]);
    }
}
