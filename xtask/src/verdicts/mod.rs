//! Verdicts against brute force: random functions of about 16 bits of input, all inputs run natively.
//!
//! The functions have what real C has (`generate/features`), also callers with callbacks and functions that nobody defines,
//! of which the harness tries many. Some are generated twice, in two ways, and the verdicts must agree. Where the harness
//! does not try everything, `covered` is left to covenant's own replay, which ends with exit code 3 if it is wrong.
//!
//! No `covered` may be false and no `infeasible` may be false. When a run is complete and leaves nothing unknown, both
//! sets are the whole truth. A function may not end on some inputs: see `native`.

mod by_feature;
pub(crate) mod generate;
mod native;
mod tally;

use crate::process;
use crate::words::{Status, Verdict};
use anyhow::{Context, Result};
use by_feature::ByFeature;
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
use tally::{Known, Tally};

#[derive(Debug, Clone, Args)]
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
    /// Every so many functions, compare with the verdicts of another strategy or seed; 0 for never
    #[arg(long, default_value_t = 8, value_name = "N")]
    second: u64,
    /// Only arithmetic, branches, loops and calls
    #[arg(long)]
    plain: bool,
    /// For which machine, as `covenant gen --target` has it; 32 bits need gcc-multilib
    #[arg(long, value_name = "MACHINE")]
    target: Option<String>,
    /// Write the result as a table to this file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// Other ways to get verdicts on the same function.
const SECOND: &[&[&str]] =
    &[&["-s", "dfs"], &["--seed", "7"], &["-s", "shortest"], &["-s", "mixed"], &["-s", "bfs+arc"], &["--solver", "z3"]];
/// For CI: each feature once, in as much time as 20 functions of five seconds.
const SMALL_COUNT: usize = generate::features::ALL.len();
const SMALL_TIMEOUT: u64 = 2;
const SMALL_SEED: u64 = 10_001;
/// For what comes after the search; beyond that it hangs.
const GRACE: Duration = Duration::from_secs(30);

/// Returns whether nothing was contradicted.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant(root, options.covenant.as_deref())?;
    let small = Options { count: SMALL_COUNT, seed: SMALL_SEED, timeout: SMALL_TIMEOUT, ..options.clone() };
    let options = if options.small { &small } else { options };
    let (count, seed) = (options.count, options.seed);
    let kept = root.join("target/fuzz-verdicts");
    fs::create_dir_all(&kept)?;
    let campaign = Campaign { covenant, kept, options };
    let next = AtomicUsize::new(0);
    let sum = Mutex::new((Tally::default(), ByFeature::default(), None));
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
                        Ok((features, one)) => {
                            sum.1.add(&features, &one);
                            sum.0.add(one);
                            if sum.0.functions.is_multiple_of(50) && sum.0.functions < count {
                                sum.0.print(start);
                            }
                        }
                        Err(error) => sum.2 = Some(error.context(format!("seed {}", seed + index as u64))),
                    }
                }
            });
        }
    });
    let (sum, by_feature, error) = sum.into_inner().map_err(|_| anyhow::anyhow!("a worker failed"))?;
    sum.print(start);
    sum.print_shares();
    if !options.plain {
        print!("{}", by_feature.table());
    }
    if let Some(file) = &options.save {
        let title = format!("{count} functions from seed {seed} on, {} s each", options.timeout);
        fs::write(file, saved(&title, &sum, &by_feature))?;
    }
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

/// The result as a page.
fn saved(title: &str, sum: &Tally, by_feature: &ByFeature) -> String {
    let mut text = format!("# Verdicts against brute force\n\n`cargo xtask fuzz-verdicts`: {title}.\n\n");
    text += &format!("{}\n\n{}", sum.words(), by_feature.table());
    for wrong in &sum.contradictions {
        text += &format!("\n* {wrong}\n");
    }
    text
}

struct Campaign<'a> {
    covenant: PathBuf,
    /// Where functions stay that covenant got wrong.
    kept: PathBuf,
    options: &'a Options,
}

impl Campaign<'_> {
    fn one(&self, seed: u64) -> Result<(Vec<&'static str>, Tally)> {
        let scratch = tempfile::tempdir()?;
        let subject = if self.options.plain { generate::subject(seed) } else { generate::featured(seed) };
        let source = scratch.path().join("subject.c");
        let words: Vec<_> = self.arguments(&subject).iter().map(|word| quoted(word)).collect();
        let head = format!("// covenant gen -f subject {}\n", words.join(" "));
        fs::write(&source, head + &subject.text)?;
        let truth = native::brute_force(scratch.path(), &subject, self.options.target.as_deref())?;
        let mut tally = Tally { functions: 1, ended: usize::from(truth.ended), ..Tally::default() };
        let mut problems = Vec::new();
        match self.generate(scratch.path(), &subject, &[])? {
            Ok(report) => {
                problems.extend(compare(&report, &truth, subject.exact, &mut tally)?);
                if self.options.second > 0 && seed.is_multiple_of(self.options.second) {
                    problems.extend(self.second(scratch.path(), seed, &subject, &report, &truth)?);
                    tally.twice = 1;
                }
            }
            Err(failure) => problems.push(failure),
        }
        if !problems.is_empty() {
            fs::copy(&source, self.kept.join(format!("seed{seed}.c")))?;
            fs::copy(scratch.path().join("harness.c"), self.kept.join(format!("seed{seed}.harness.c")))?;
        }
        tally.contradictions = problems.into_iter().map(|text| format!("seed {seed}: {text}")).collect();
        for text in &tally.contradictions {
            println!("{text}; again with: {}", self.again(seed));
        }
        Ok((subject.features, tally))
    }

    /// What is wrong with the verdicts of another way, alone and beside those of the first.
    fn second(&self, dir: &Path, seed: u64, subject: &Subject, first: &Value, truth: &Truth) -> Result<Vec<String>> {
        let turn = usize::try_from(seed / self.options.second).unwrap_or(0);
        let way = SECOND[turn % SECOND.len()];
        let mut problems = match self.generate(dir, subject, way)? {
            Ok(report) => {
                let mut problems = compare(&report, truth, subject.exact, &mut Tally::default())?;
                problems.extend(disagreements(first, &report));
                problems
            }
            Err(failure) => vec![failure],
        };
        problems.iter_mut().for_each(|text| *text = format!("with {}: {text}", way.join(" ")));
        Ok(problems)
    }

    fn arguments<'a>(&'a self, subject: &'a Subject) -> Vec<&'a str> {
        let mut words = subject.options.clone();
        words.extend(self.options.strategy.iter().flat_map(|name| ["-s", name.as_str()]));
        words.extend(self.options.target.iter().flat_map(|machine| ["--target", machine.as_str()]));
        words
    }

    /// The command that runs one seed once more.
    fn again(&self, seed: u64) -> String {
        let mut text = format!("cargo xtask fuzz-verdicts --count 1 --seed {seed} --timeout {}", self.options.timeout);
        text.extend(self.options.strategy.iter().map(|name| format!(" --strategy {name}")));
        text.extend(self.options.target.iter().map(|machine| format!(" --target {machine}")));
        for (flag, name) in [(self.options.check, " --check"), (self.options.plain, " --plain")] {
            text += if flag { name } else { "" };
        }
        text
    }

    /// The report, or in words why there is none.
    fn generate(&self, dir: &Path, subject: &Subject, further: &[&str]) -> Result<Result<Value, String>> {
        let mut command = Command::new(&self.covenant);
        command.args(["gen", "subject.c", "-f", "subject", "--json", "--timeout"]);
        command.arg(format!("{}s", self.options.timeout)).args(self.arguments(subject)).args(further);
        command.args(subject.exact.then_some("--no-replay")).args(["--", "-w"]).current_dir(dir);
        let done = process::run(&mut command, Duration::from_secs(self.options.timeout) + GRACE)?;
        Ok(match done.status {
            Some(0 | 1) => match self.check(dir)? {
                Some(problem) => Err(problem),
                None => serde_json::from_slice(&done.stdout).map_err(|error| format!("report: {error}")),
            },
            Some(code) => Err(format!("exit code {code}: {}", complaint(&done.stderr))),
            None => Err("covenant does not end".to_owned()),
        })
    }

    /// What `covenant check` refuses, if it is asked.
    fn check(&self, dir: &Path) -> Result<Option<String>> {
        if !self.options.check {
            return Ok(None);
        }
        let mut command = Command::new(&self.covenant);
        command.args(["check", "covenant-out/subject"]).current_dir(dir);
        let done = process::run(&mut command, GRACE)?;
        let first = done.stderr.lines().next().unwrap_or_default();
        Ok((done.status != Some(0)).then(|| format!("covenant check: status {:?}: {first}", done.status)))
    }
}

/// What covenant says when it gives up or contradicts itself: the line behind that one, if there is one.
fn complaint(stderr: &str) -> &str {
    let mut lines = stderr.lines().skip_while(|line| !line.starts_with("error"));
    let first = lines.next().unwrap_or_default();
    lines.next().map_or(first, str::trim)
}

/// As a shell wants it.
fn quoted(word: &str) -> String {
    if word.contains(' ') { format!("'{word}'") } else { word.to_owned() }
}

/// What one report calls covered and the other infeasible, in words.
fn disagreements(first: &Value, second: &Value) -> Vec<String> {
    let verdicts = |report: &Value| -> BTreeMap<String, Verdict> {
        let all = report["objectives"].as_array().map(Vec::as_slice).unwrap_or_default();
        all.iter().map(|one| (one["id"].as_str().unwrap_or_default().to_owned(), Verdict::of(one))).collect()
    };
    let second = verdicts(second);
    let disagree = |(id, verdict): (String, Verdict)| match (verdict, second.get(&id)?) {
        (Verdict::Covered, Verdict::Infeasible) => Some(format!("{id} is infeasible, but was covered before")),
        (Verdict::Infeasible, Verdict::Covered) => Some(format!("{id} is covered, but was infeasible before")),
        _ => None,
    };
    verdicts(first).into_iter().filter_map(disagree).collect()
}

/// Counts the objectives of `report` and gives all that the truth denies, in words.
fn compare(report: &Value, truth: &Truth, exact: bool, tally: &mut Tally) -> Result<Vec<String>> {
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
        // A caller of examples may call functions of the text that the subject does not.
        if exact && (taken.0 || taken.1) && !stated.contains_key(place) {
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
        assert!(compare(&report, &truth(), true, &mut tally).unwrap().is_empty());
        assert_eq!((tally.covered, tally.infeasible, tally.complete), (1, 2, 1));
    }

    #[test]
    fn each_false_claim_is_found() {
        let report = json!({"status": "complete", "objectives": [
            objective(3, 7, "true", "infeasible"), objective(3, 7, "false", "covered"),
            objective(9, 9, "true", "covered")]});
        let problems = compare(&report, &truth(), true, &mut Tally::default()).unwrap();
        let expected = [
            "3:true is infeasible, but an input takes it",
            "3:false is covered, but no input takes it",
            "9:true is no branch of llvm-cov",
            "4:5 is no objective",
        ];
        assert_eq!(problems, expected);
    }

    #[test]
    fn a_complaint_is_what_follows_the_error() {
        let said = "a.c:1: warning: x\nerror: covenant contradicted itself:\n  a.c:3:1 is claimed covered\n";
        assert_eq!(super::complaint(said), "a.c:3:1 is claimed covered");
        assert_eq!(super::complaint("error: no such file\n"), "error: no such file");
    }

    #[test]
    fn two_reports_must_not_disagree() {
        let [first, second] = [["covered", "infeasible", "unknown"], ["infeasible", "infeasible", "covered"]].map(|all| {
            json!({"objectives": all.iter().enumerate().map(|(line, verdict)| objective(line as u64, 1, "true", verdict))
                .collect::<Vec<_>>()})
        });
        assert_eq!(super::disagreements(&first, &second), ["0:true is infeasible, but was covered before"]);
        assert_eq!(super::disagreements(&second, &first), ["0:true is covered, but was infeasible before"]);
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
        assert!(compare(&report, &truth, true, &mut tally).unwrap().is_empty());
        assert_eq!(tally.not_judged, 3);
    }

    #[test]
    fn what_an_endless_run_may_take_is_no_contradiction() {
        let report = json!({"status": "complete", "objectives": [
            objective(3, 7, "true", "infeasible"), objective(3, 7, "false", "covered"),
            objective(4, 5, "false", "covered")]});
        let truth = Truth { ended: false, ..truth() };
        let problems = compare(&report, &truth, true, &mut Tally::default()).unwrap();
        assert_eq!(problems, ["3:true is infeasible, but an input takes it"]);
    }
}
