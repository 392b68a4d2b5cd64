//! Every strategy on a few subjects.
//!
//! - `strategy::NAME`: those that end by themselves give the verdicts that the subjects state, all of them the same; the
//!   others claim nothing that is false.
//! - `seed::NAME`: the same seed gives the same report.
//! - `paths::NAME`: that all paths are known is confirmed by `covenant check`, and refused where runs are left out.
//! - `default::NAME`: the default decides a subject of the bench of strategies in so many iterations.
//! - `bounded::dfs`: what lies beyond a bound stays open, and the report says which bound that was.

use super::notes::Notes;
use super::prove::unconfirmed;
use super::{LIMIT, failed, generate, not_covered, objectives, report, totals, without_times};
use crate::process;
use anyhow::{Context, Result, ensure};
use covenant_goals::certificate::PATHS;
use covenant_search::strategy::{StrategyConfig, StrategyKind};
use libtest_mimic::Trial;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Subjects whose paths are few, two with branches that no input takes.
const SUBJECTS: &[&str] = &["advisory", "machine", "next_date"];
const TIMEOUT: &str = "60s";
/// Subjects of `bench/strategies/subjects`, and iterations of the default that decide them with much to spare.
const BENCH: &[(&str, &str)] = &[("tags", "3000"), ("escape", "1500"), ("totals", "1500")];
/// For what does not end by itself.
const SHORT: &str = "2s";

pub(crate) fn trials(subjects: &[(String, PathBuf)]) -> Result<Vec<Trial>> {
    let find = |name: &&str| subjects.iter().find(|(known, _)| known == name).map(|(_, file)| file.clone());
    let files: Vec<PathBuf> =
        SUBJECTS.iter().map(|name| find(name).with_context(|| format!("no subject {name}"))).collect::<Result<_>>()?;
    let mut trials = Vec::new();
    for kind in StrategyKind::all() {
        let joined = StrategyConfig { kind, model: true }.name();
        for (name, files) in [(kind.name().to_owned(), files.clone()), (joined, files[1..2].to_vec())] {
            let title = format!("strategy::{name}");
            let ends = kind.is_exhaustive();
            let check = move || files.iter().try_for_each(|file| check(file, &name, ends)).map_err(failed);
            trials.push(Trial::test(title, check));
        }
        let file = files[0].clone();
        if kind.is_exhaustive() {
            let same = move || same_by_seed(&file, kind.name()).map_err(failed);
            trials.push(Trial::test(format!("seed::{}", kind.name()), same));
        }
    }
    for (name, file) in SUBJECTS.iter().zip(&files).filter(|(name, _)| **name != "next_date") {
        let file = file.clone();
        trials.push(Trial::test(format!("paths::{name}"), move || paths_are_checked(&file).map_err(failed)));
    }
    let labels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/criteria/known_kinds.c");
    trials.push(Trial::test("paths::labels", move || paths_are_checked(&labels).map_err(failed)));
    for &(name, most) in BENCH {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../bench/strategies/subjects")
            .join(name)
            .with_extension("c");
        trials.push(Trial::test(format!("default::{name}"), move || within(&file, most).map_err(failed)));
    }
    // One with a loop.
    let file = find(&"machine").context("no subject machine")?;
    trials.push(Trial::test("bounded::dfs", move || bounded(&file).map_err(failed)));
    Ok(trials)
}

fn search(file: &Path, notes: &Notes, more: &[&str], timeout: &str) -> Result<Value> {
    let home = tempfile::tempdir()?;
    let all: Vec<&str> = ["--no-replay"].iter().chain(more).copied().collect();
    report(&generate(file, notes, home.path(), timeout, &all)?)
}

fn check(file: &Path, strategy: &str, ends: bool) -> Result<()> {
    let notes = Notes::read(file)?;
    let ends = ends || strategy.ends_with("arc");
    let report = search(file, &notes, &["-s", strategy], if ends { TIMEOUT } else { SHORT })?;
    let place = || format!("{} with {strategy}", file.display());
    ensure!(report["strategy"] == strategy, "{}: the report says {}", place(), report["strategy"]);
    for o in objectives(&report) {
        let named = notes.named.iter().any(|n| {
            o["line"] == n.line && o["column"] == n.column && o["outcome"] == *n.outcome && n.verdict == "infeasible"
        });
        let wrong = if named { "covered" } else { "infeasible" };
        ensure!(o["verdict"] != wrong, "{}: {} is {wrong}: {}", place(), o["id"], o["reason"]);
    }
    if ends {
        let found = totals(&report)?;
        ensure!(
            found == notes.totals,
            "{}: {found:?}, expected {:?}:\n{}",
            place(),
            notes.totals,
            not_covered(&report)
        );
    }
    let proved = objectives(&report).iter().filter(|o| o["prover"] == "exhaustion");
    for o in proved {
        let reason = o["reason"].as_str().unwrap_or_default();
        let told = reason.contains("line ") && reason.contains('`');
        ensure!(told, "{}: no line is told: {reason}", place());
    }
    Ok(())
}

fn paths_are_checked(file: &Path) -> Result<()> {
    let notes = Notes::read(file)?;
    let home = tempfile::tempdir()?;
    let report = report(&generate(file, &notes, home.path(), TIMEOUT, &["--no-replay", "-s", "eager"])?)?;
    let proved = objectives(&report).iter().filter(|o| o["proof"] == PATHS).count();
    ensure!(proved > 0, "nothing was decided by all paths");
    let unconfirmed = unconfirmed(home.path(), &report, TIMEOUT)?;
    ensure!(unconfirmed.is_empty(), "not confirmed:\n{}", unconfirmed.concat());
    // The same claim about a branch that a test takes.
    let mut report = report;
    let all = report["objectives"].as_array_mut().context("no objectives")?;
    let taken = all.iter_mut().find(|o| o["verdict"] == "covered").context("nothing is covered")?;
    (taken["verdict"], taken["proof"], taken["prover"]) = ("infeasible".into(), PATHS.into(), "exhaustion".into());
    std::fs::write(home.path().join("out/report.json"), serde_json::to_vec(&report)?)?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_covenant"));
    command.args(["check", "out", "--quiet"]).current_dir(home.path());
    let done = process::run(command, &[], LIMIT)?;
    ensure!(done.status == Some(3), "a false proof, and the status is {:?}", done.status);
    Ok(())
}

fn within(file: &Path, most: &str) -> Result<()> {
    let notes = Notes::read(file)?;
    let report = search(file, &notes, &["--max-iterations", most], "120s")?;
    let found = totals(&report)?;
    ensure!(found == notes.totals, "{found:?}, expected {:?}:\n{}", notes.totals, not_covered(&report));
    Ok(())
}

fn same_by_seed(file: &Path, strategy: &str) -> Result<()> {
    let notes = Notes::read(file)?;
    let run = |seed: &str| -> Result<Value> {
        let mut report = search(file, &notes, &["-s", strategy, "--seed", seed], TIMEOUT)?;
        without_times(&mut report);
        Ok(report)
    };
    let (first, second) = (run("7")?, run("7")?);
    ensure!(first == second, "two runs of {strategy} differ:\n{first}\n{second}");
    Ok(())
}

fn bounded(file: &Path) -> Result<()> {
    let notes = Notes::read(file)?;
    for (bound, most) in [("--max-depth", "3"), ("--loop-bound", "0")] {
        let report = search(file, &notes, &["-s", "dfs", bound, most], TIMEOUT)?;
        let found = totals(&report)?;
        ensure!(found.infeasible == 0 && found.unknown > 0, "{bound}: {found:?}");
        let open = objectives(&report).iter().find(|o| o["verdict"] == "unknown").context("nothing is open")?;
        let reason = open["reason"].as_str().unwrap_or_default();
        ensure!(reason.contains(bound), "{bound} is not named: {reason}");
    }
    Ok(())
}
