//! One search, and what its report says in numbers.

use super::notes::Subject;
use super::store::Store;
use crate::process;
use crate::words::Status;
use anyhow::Result;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// For what comes before and after the search: clang, writing the suite.
const GRACE: Duration = Duration::from_secs(120);
/// Iterations of random inputs, which neither solve nor end.
pub(crate) const FEW: u64 = 2_000;

pub(crate) struct Runner {
    pub(crate) covenant: PathBuf,
    pub(crate) store: Store,
}

/// What a search may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The same on every machine.
    pub(crate) iterations: u64,
    /// Should it take too long.
    pub(crate) seconds: u64,
}

/// Coverage grew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) ms: u64,
    pub(crate) runs: u64,
    pub(crate) covered: u64,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Cell {
    pub(crate) subject: String,
    pub(crate) strategy: String,
    pub(crate) seed: u64,
    pub(crate) branches: u64,
    pub(crate) covered: u64,
    pub(crate) infeasible: u64,
    pub(crate) unknown: u64,
    pub(crate) status: Status,
    /// In the suite.
    pub(crate) tests: u64,
    /// Of the program: the test inputs that the papers count.
    pub(crate) runs: u64,
    pub(crate) flips: u64,
    pub(crate) hopeful: u64,
    /// Until all was decided.
    pub(crate) solver_calls: u64,
    /// Those that an SMT solver had to resolve, and those that came after all was decided.
    pub(crate) smt_calls: u64,
    pub(crate) certificate_calls: u64,
    pub(crate) choosing_ms: u64,
    pub(crate) solver_ms: u64,
    pub(crate) wall_ms: u64,
    pub(crate) timeline: Vec<Moment>,
}

impl Cell {
    /// How many branches so many runs had covered.
    pub(crate) fn covered_after(&self, runs: u64) -> u64 {
        self.timeline.iter().take_while(|m| m.runs <= runs).map(|m| m.covered).max().unwrap_or(0)
    }

    pub(crate) fn covered_at(&self, ms: u64) -> u64 {
        self.timeline.iter().take_while(|m| m.ms <= ms).map(|m| m.covered).max().unwrap_or(0)
    }

    /// Runs until so many branches were covered.
    pub(crate) fn runs_to(&self, covered: u64) -> Option<u64> {
        self.timeline.iter().find(|m| m.covered >= covered).map(|m| m.runs)
    }

    /// Whether each branch has its test or its proof.
    pub(crate) fn is_decided(&self) -> bool {
        self.unknown == 0
    }
}

pub(crate) const CSV_HEAD: &str = "subject,strategy,seed,branches,covered,infeasible,unknown,status,tests,runs,\
                                   runs_to_cover,flips,hopeful_flips,solver_calls,smt_calls,certificate_calls,choosing_ms,solver_ms,wall_ms\n";

pub(crate) fn csv(text: &mut String, cell: &Cell, reachable: u64) {
    let Cell { subject, strategy, seed, branches, covered, infeasible, unknown, status, tests, runs, .. } = cell;
    let Cell { flips, hopeful, solver_calls, smt_calls, certificate_calls, choosing_ms, solver_ms, wall_ms, .. } = cell;
    let to_cover = cell.runs_to(reachable).map_or(String::new(), |runs| runs.to_string());
    let _ = writeln!(
        text,
        "{subject},{strategy},{seed},{branches},{covered},{infeasible},{unknown},{status},{tests},{runs},{to_cover},{flips},\
         {hopeful},{solver_calls},{smt_calls},{certificate_calls},{choosing_ms},{solver_ms},{wall_ms}"
    );
}

impl Runner {
    /// The numbers, or in words why there are none.
    pub(crate) fn run(
        &self,
        subject: &Subject,
        strategy: &str,
        seed: u64,
        limits: Limits,
    ) -> Result<Result<Cell, String>> {
        let most = if strategy == "random-input" { FEW } else { u64::MAX };
        let iterations = limits.iterations.min(most);
        let mut options: Vec<String> = ["-f", &subject.function, "-s", strategy].map(str::to_owned).to_vec();
        options.extend(["--seed".to_owned(), seed.to_string(), "--max-iterations".to_owned(), iterations.to_string()]);
        options.extend(["--timeout".to_owned(), format!("{}s", limits.seconds)]);
        options.extend(subject.options.iter().cloned());
        let key = self.store.key(&subject.file, &options)?;
        if let Some(report) = self.store.find(&key) {
            return Ok(Ok(read(&report, subject, strategy, seed)));
        }
        let out = tempfile::tempdir()?;
        let mut command = Command::new(&self.covenant);
        command.arg("gen").arg(&subject.file).args(["--json", "--no-replay", "--no-progress"]).args(&options);
        command.arg("-o").arg(out.path());
        let done = process::run(&mut command, Duration::from_secs(limits.seconds) + GRACE)?;
        let first = done.stderr.lines().next().unwrap_or_default();
        Ok(match done.status {
            None => Err("does not end".to_owned()),
            Some(0 | 1) => match serde_json::from_slice::<Value>(&done.stdout) {
                Ok(report) => {
                    let needed =
                        ["status", "totals", "stats", "timeline"].map(|part| (part.to_owned(), report[part].clone()));
                    let needed = json!(serde_json::Map::from_iter(needed));
                    self.store.keep(&key, &needed)?;
                    Ok(read(&needed, subject, strategy, seed))
                }
                Err(error) => Err(format!("report: {error}")),
            },
            Some(code) => Err(format!("exit code {code}: {first}")),
        })
    }
}

fn read(report: &Value, subject: &Subject, strategy: &str, seed: u64) -> Cell {
    let stat = |key: &str| report["stats"][key].as_u64().unwrap_or(0);
    let total = |key: &str| report["totals"]["branch"][key].as_u64().unwrap_or(0);
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let moments = report["timeline"].as_array().map_or(&[][..], Vec::as_slice);
    let moment =
        |m: &Value| Moment { ms: number(&m["ms"]), runs: number(&m["executions"]), covered: number(&m["covered"]) };
    Cell {
        subject: subject.name.clone(),
        strategy: strategy.to_owned(),
        seed,
        branches: total("objectives"),
        covered: total("covered"),
        infeasible: total("infeasible"),
        unknown: total("unknown"),
        status: Status::of(report),
        tests: stat("tests"),
        runs: stat("executions"),
        flips: stat("iterations"),
        hopeful: stat("hopeful_flips"),
        solver_calls: stat("solver_calls").saturating_sub(stat("certificate_calls")),
        smt_calls: stat("smt_calls"),
        certificate_calls: stat("certificate_calls"),
        choosing_ms: stat("choosing_ms"),
        solver_ms: stat("solver_ms"),
        wall_ms: stat("wall_ms"),
        timeline: moments.iter().map(moment).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read() {
        let report = json!({
            "status": "complete", "totals": {"branch": {"objectives": 8, "covered": 5, "infeasible": 3, "unknown": 0}},
            "stats": {"iterations": 11, "solver_calls": 10, "smt_calls": 7, "certificate_calls": 1, "executions": 9, "hopeful_flips": 4},
            "timeline": [{"ms": 3, "executions": 1, "covered": 2}, {"ms": 8, "executions": 6, "covered": 5}]});
        let subject = Subject { name: "s".to_owned(), ..Subject::default() };
        let cell = read(&report, &subject, "dfs", 1);
        assert_eq!((cell.runs_to(2), cell.runs_to(3), cell.runs_to(6)), (Some(1), Some(6), None));
        assert_eq!((cell.covered_after(0), cell.covered_after(5), cell.covered_after(6)), (0, 2, 5));
        assert_eq!((cell.covered_at(2), cell.covered_at(100)), (0, 5));
        let mut text = CSV_HEAD.to_owned();
        csv(&mut text, &cell, 5);
        let columns: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
        assert_eq!(columns, [19, 19]);
        assert!(text.contains("s,dfs,1,8,5,3,0,complete,0,9,6,11,4,9,7,1,"), "{text}");
    }
}
