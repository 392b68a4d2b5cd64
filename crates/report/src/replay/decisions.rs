//! MC/DC, held against llvm-cov: which conditions it calls independent after all runs together.
//!
//! A run that did not return leaves no test vectors, so a condition that needs such a run is not judged.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use covenant_goals::criteria::mcdc::Rule;
use covenant_goals::report::ObjectiveEntry;
use covenant_goals::{Report, TestCase, VerdictKind};
use serde::Deserialize;

use super::build::Tools;
use super::confirm::{group_size, settings};
use super::coverage::export;
use super::server::{Counters, Server};
use super::{ReplayOptions, ReplayResult};
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
    let size = group_size(wanted.len(), options.jobs);
    let groups: Vec<&[&TestCase]> = wanted.chunks(size).collect();
    let one = |group: &&[&TestCase], index: usize| -> Result<Option<PathBuf>, Error> {
        let Some(profile) = profile_of(program, group, scratch, tools, options)? else { return Ok(None) };
        let file = scratch.join(format!("decisions-{index}.profraw"));
        std::fs::write(&file, profile).map_err(Error::file(&file))?;
        Ok(Some(file))
    };
    let profiles: Vec<PathBuf> = in_parallel(&groups, options.jobs, one)?.into_iter().flatten().collect();
    if profiles.is_empty() {
        return Ok(Seen::new());
    }
    let export: Export = export(program, &profiles, tools)?;
    let mut seen = Seen::new();
    for function in export.data.into_iter().flat_map(|d| d.functions) {
        let name = function.name.rsplit([':', ';']).next().unwrap_or(&function.name).to_owned();
        for (number, record) in (0..).zip(function.mcdc_records) {
            seen.entry((name.clone(), number)).or_default().push(record.6);
        }
    }
    Ok(seen)
}

/// The profile that tests leave together. Tests that end the process that runs them are left out.
fn profile_of(
    program: &Path,
    tests: &[&TestCase],
    scratch: &Path,
    tools: &Tools,
    options: &ReplayOptions,
) -> Result<Option<Vec<u8>>, Error> {
    let mut tests = tests.to_vec();
    while !tests.is_empty() {
        let settings = settings(false);
        let Ok(mut server) = Server::start(&tools.native, program, scratch, Counters::Copied, &settings)? else {
            return Ok(None);
        };
        match tests.iter().position(|test| server.run(&test.name, &options.limits(), 0).is_err()) {
            Some(bad) => drop(tests.remove(bad)),
            None => return Ok(server.profile().ok().filter(|profile| !profile.is_empty())),
        }
    }
    Ok(None)
}

pub(super) fn compare(report: &Report, tests: &[TestCase], calm: &[bool], seen: &Seen, result: &mut ReplayResult) {
    let calm: HashSet<&str> = tests.iter().zip(calm).filter(|(_, c)| **c).map(|(t, _)| t.name.as_str()).collect();
    // llvm-cov has a rule of its own. What a stricter rule accepts it must accept, and what a weaker one refuses too.
    let rule = report.mcdc.unwrap_or_default();
    let (not_weaker, not_stricter) = (matches!(rule, Rule::Masking | Rule::UniqueCause), rule != Rule::UniqueCause);
    for objective in &report.objectives {
        let Some((decision, condition)) = objective.decision else { continue };
        let Some(records) = seen.get(&(objective.function.clone(), decision)) else { continue };
        let shown = records.iter().any(|r| r.get(condition as usize).copied().unwrap_or(false));
        let all_calm = objective.tests.iter().all(|test| calm.contains(test.as_str()));
        match objective.verdict {
            VerdictKind::Covered if !shown && all_calm && not_weaker => {
                result.differences.push(format!("{} is claimed covered, but llvm-cov shows no pair", name(objective)));
            }
            VerdictKind::Infeasible if shown && not_stricter => {
                result
                    .differences
                    .push(format!("{} is claimed infeasible, but llvm-cov shows a pair", name(objective)));
            }
            VerdictKind::Unknown if shown => {
                result.notes.push(format!("{} is open, but the suite shows it", name(objective)))
            }
            _ => {}
        }
    }
}

fn name(objective: &ObjectiveEntry) -> String {
    let ObjectiveEntry { file, line, column, text, .. } = objective;
    format!("{file}:{line}:{column}: MC/DC of {text}")
}
