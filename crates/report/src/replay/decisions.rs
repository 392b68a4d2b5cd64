//! MC/DC, held against llvm-cov: which conditions it calls independent after all runs together.
//!
//! A run that did not return leaves no test vectors, so a condition that needs such a run is not judged.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::process::Command;

use covenant_goals::report::ObjectiveEntry;
use covenant_goals::{Report, TestCase};
use serde::Deserialize;

use super::build::Tools;
use super::coverage::output;
use super::{ReplayOptions, ReplayResult, run};
use crate::Error;
use crate::parallel::in_parallel;

/// Function, decision, and for each condition whether it was shown. A function in several files is listed for each.
pub(super) type Seen = BTreeMap<(String, u32), Vec<Vec<bool>>>;

#[derive(Deserialize)]
struct Export {
    data: Vec<Data>,
}

#[derive(Deserialize)]
struct Data {
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    mcdc_records: Vec<Record>,
}

/// Start line and column, end line and column, expanded file, kind, conditions.
#[derive(Deserialize)]
struct Record(
    #[allow(dead_code)] u64,
    #[allow(dead_code)] u64,
    #[allow(dead_code)] u64,
    #[allow(dead_code)] u64,
    #[allow(dead_code)] u64,
    #[allow(dead_code)] u64,
    Vec<bool>,
);

/// Runs the calm tests once more, with a program that writes down test vectors.
pub(super) fn read(
    program: &Path,
    tests: &[TestCase],
    calm: &[bool],
    scratch: &Path,
    tools: &Tools,
    options: &ReplayOptions,
) -> Result<Seen, Error> {
    let wanted: Vec<&TestCase> = tests.iter().zip(calm).filter(|(_, calm)| **calm).map(|(test, _)| test).collect();
    let one = |test: &&TestCase, index: usize| -> Result<_, Error> {
        let profile = scratch.join(format!("decisions-{index}.profraw"));
        run::run(program, test, &profile.display().to_string(), scratch, options)?;
        Ok(profile)
    };
    let profiles = in_parallel(&wanted, options.jobs, one)?;
    let profiles: Vec<_> = profiles.into_iter().filter(|profile| profile.is_file()).collect();
    if profiles.is_empty() {
        return Ok(Seen::new());
    }
    let indexed = scratch.join("decisions.profdata");
    output(
        Command::new(&tools.profdata).args(["merge", "-sparse", "-o"]).arg(&indexed).args(&profiles),
        "llvm-profdata",
    )?;
    let mut export = Command::new(&tools.cov);
    export.args(["export", "-skip-expansions", "-num-threads=1"]);
    let json = output(export.arg(program).arg("-instr-profile").arg(&indexed), "llvm-cov")?;
    let bad = |e: serde_json::Error| Error::Coverage { what: "llvm-cov".to_owned(), message: e.to_string() };
    let export: Export = serde_json::from_slice(&json).map_err(bad)?;
    let mut seen = Seen::new();
    for function in export.data.into_iter().flat_map(|d| d.functions) {
        let name = function.name.rsplit([':', ';']).next().unwrap_or(&function.name).to_owned();
        for (number, record) in (0..).zip(function.mcdc_records) {
            seen.entry((name.clone(), number)).or_default().push(record.6);
        }
    }
    Ok(seen)
}

pub(super) fn compare(report: &Report, tests: &[TestCase], calm: &[bool], seen: &Seen, result: &mut ReplayResult) {
    let calm: HashSet<&str> = tests.iter().zip(calm).filter(|(_, c)| **c).map(|(t, _)| t.name.as_str()).collect();
    // llvm-cov has a rule of its own. What a stricter rule accepts it must accept, and what a weaker one refuses too.
    let rule = report.mcdc.as_deref().unwrap_or("masking");
    let (not_weaker, not_stricter) = (matches!(rule, "masking" | "unique-cause"), rule != "unique-cause");
    for objective in &report.objectives {
        let Some((decision, condition)) = objective.decision else { continue };
        let Some(records) = seen.get(&(objective.function.clone(), decision)) else { continue };
        let shown = records.iter().any(|r| r.get(condition as usize).copied().unwrap_or(false));
        let all_calm = objective.tests.iter().all(|test| calm.contains(test.as_str()));
        match objective.verdict.as_str() {
            "covered" if !shown && all_calm && not_weaker => {
                result.differences.push(format!("{} is claimed covered, but llvm-cov shows no pair", name(objective)));
            }
            "infeasible" if shown && not_stricter => {
                result
                    .differences
                    .push(format!("{} is claimed infeasible, but llvm-cov shows a pair", name(objective)));
            }
            "unknown" if shown => result.notes.push(format!("{} is open, but the suite shows it", name(objective))),
            _ => {}
        }
    }
}

fn name(objective: &ObjectiveEntry) -> String {
    let ObjectiveEntry { file, line, column, text, .. } = objective;
    format!("{file}:{line}:{column}: MC/DC of {text}")
}
