//! One run of `covenant gen`, and what its report says in numbers.

use crate::process;
use crate::words::Verdict;
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// For what comes before and after the search: clang, writing the suite.
const GRACE: Duration = Duration::from_secs(120);

pub(crate) struct Runner {
    pub(crate) covenant: PathBuf,
    /// Seconds for the search.
    pub(crate) timeout: u64,
    pub(crate) strategy: Option<String>,
    /// Whether `covenant check` runs on each result.
    pub(crate) check: bool,
}

pub(crate) struct Job<'a> {
    pub(crate) file: &'a Path,
    pub(crate) function: &'a str,
    pub(crate) options: &'a [String],
    pub(crate) coarsening: bool,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Measured {
    pub(crate) branches: u64,
    pub(crate) covered: u64,
    pub(crate) infeasible: u64,
    pub(crate) unknown: u64,
    pub(crate) tests: u64,
    pub(crate) iterations: u64,
    pub(crate) solver_calls: u64,
    pub(crate) defects: u64,
    /// Infeasible branches with a certificate.
    pub(crate) certificates: u64,
    /// What `covenant check` says of the certificates, if it was asked.
    pub(crate) confirmed: Option<bool>,
    pub(crate) peak_bytes: Option<u64>,
    pub(crate) nodes: Option<u64>,
    pub(crate) predicate: Option<u64>,
    pub(crate) coarsenings: Option<u64>,
    /// Of the whole process.
    pub(crate) seconds: f64,
}

impl Measured {
    /// Per cent of the branches that are not infeasible. Rounded down: 100 means all.
    pub(crate) fn coverage(&self) -> u64 {
        let feasible = self.branches - self.infeasible;
        (100 * self.covered).checked_div(feasible).unwrap_or(100)
    }
}

impl Runner {
    /// The numbers, or in words why there are none.
    pub(crate) fn run(&self, job: &Job<'_>) -> Result<Result<Measured, String>> {
        let out = tempfile::tempdir()?;
        let mut command = Command::new(&self.covenant);
        command.arg("gen").arg(job.file).args(["-f", job.function, "--json", "--no-replay", "--no-progress", "-o"]);
        command.arg(out.path()).arg("--timeout").arg(format!("{}s", self.timeout)).args(job.options);
        command.args(self.strategy.iter().flat_map(|name| ["-s", name]));
        if !job.coarsening {
            command.arg("--no-coarsening");
        }
        let done = process::run(&mut command, Duration::from_secs(self.timeout) + GRACE)?;
        let first = done.stderr.lines().next().unwrap_or_default();
        let mut measured = match done.status {
            None => return Ok(Err("does not end".to_owned())),
            Some(0 | 1) => match serde_json::from_slice::<Value>(&done.stdout) {
                Ok(report) => read(&report),
                Err(error) => return Ok(Err(format!("report: {error}"))),
            },
            Some(code) => return Ok(Err(format!("exit code {code}: {first}"))),
        };
        measured.seconds = done.wall.as_secs_f64();
        if self.check && measured.infeasible > 0 {
            let mut check = Command::new(&self.covenant);
            let checked = process::run(check.arg("check").arg(out.path()), GRACE + Duration::from_secs(self.timeout))
                .context("covenant check")?;
            measured.confirmed = Some(checked.status == Some(0));
        }
        Ok(Ok(measured))
    }
}

fn read(report: &Value) -> Measured {
    let stat = |key: &str| report["stats"][key].as_u64();
    let total = |key: &str| report["totals"]["branch"][key].as_u64().unwrap_or(0);
    let objectives = report["objectives"].as_array().map_or(&[][..], Vec::as_slice);
    Measured {
        branches: total("objectives"),
        covered: total("covered"),
        infeasible: total("infeasible"),
        unknown: total("unknown"),
        tests: report["tests"].as_array().map_or(0, |all| all.len() as u64),
        iterations: stat("iterations").unwrap_or(0),
        solver_calls: stat("solver_calls").unwrap_or(0),
        defects: report["defects"].as_array().map_or(0, |all| all.len() as u64),
        certificates: objectives
            .iter()
            .filter(|o| Verdict::of(o) == Verdict::Infeasible && o["proof"].is_string())
            .count() as u64,
        confirmed: None,
        peak_bytes: stat("peak_rss_bytes"),
        nodes: stat("model_nodes_peak"),
        predicate: stat("predicate_peak"),
        coarsenings: stat("coarsenings"),
        seconds: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_report_is_read() {
        let report = json!({
            "totals": {"branch": {"objectives": 8, "covered": 5, "infeasible": 2, "unknown": 1}},
            "objectives": [{"verdict": "infeasible", "proof": "proofs/a.smt2"}, {"verdict": "infeasible", "proof": null}],
            "tests": [{}, {}], "defects": [],
            "stats": {"iterations": 11, "solver_calls": 7, "peak_rss_bytes": 1000}});
        let measured = read(&report);
        assert_eq!((measured.branches, measured.unknown, measured.tests, measured.certificates), (8, 1, 2, 1));
        assert_eq!((measured.coverage(), measured.peak_bytes, measured.predicate), (83, Some(1000), None));
    }

    #[test]
    fn all_infeasible_is_full_coverage() {
        let measured = Measured { branches: 2, infeasible: 2, ..Measured::default() };
        assert_eq!(measured.coverage(), 100);
    }
}
