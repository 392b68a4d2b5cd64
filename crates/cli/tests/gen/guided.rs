//! What is told of local paths, points and traces, besides the verdicts that the subjects of `tests/c/criteria` state.
//!
//! - `guided::told`: each local path with its outcomes in order, and its test or the reason.
//! - `guided::bound`: what none takes within the bound is not what none takes at all.
//! - `guided::plain`: all paths take several times as many runs.
//! - `guided::traces`: how many traces there are, and how many are left by the guards.
//! - `guided::certified`: what guards exclude is confirmed, and of a path that has a test the same is not.
//! - `guided::many`: more paths than anybody wants end soon, and the report says that there are more.

use super::notes::Notes;
use super::prove::unconfirmed;
use super::{LIMIT, TIMEOUT, failed, generate, report};
use crate::process;
use anyhow::{Context, Result, ensure};
use covenant_goals::certificate::GUARDS;
use libtest_mimic::Trial;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

type Named = (&'static str, fn() -> Result<()>);

pub(crate) fn trials() -> Vec<Trial> {
    let all: [Named; 6] = [
        ("told", paths_are_told),
        ("bound", bounds_are_told),
        ("plain", plain_takes_more),
        ("traces", traces_are_counted),
        ("certified", guards_are_certified),
        ("many", many_paths_are_cut),
    ];
    all.into_iter().map(|(name, test)| Trial::test(format!("guided::{name}"), move || test().map_err(failed))).collect()
}

fn root() -> Result<PathBuf> {
    Ok(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?)
}

fn run(file: &Path, options: &[&str]) -> Result<Value> {
    let notes = Notes { options: options.iter().map(|&o| o.to_owned()).collect(), ..Notes::read(file)? };
    let home = tempfile::tempdir()?;
    report(&generate(file, &notes, home.path(), TIMEOUT, &["--no-replay"])?)
}

fn objectives(report: &Value) -> Result<&Vec<Value>> {
    report["objectives"].as_array().context("no objectives")
}

fn paths_are_told() -> Result<()> {
    let file = root()?.join("tests/c/criteria/local_paths.c");
    let report = run(&file, &["-c", "local-path", "--assume", "a>-99&&a<99&&b>-99&&b<99"])?;
    ensure!(report["strategy"] == "guided+arc", "{}", report["strategy"]);
    let words = |o: &Value| {
        let facts = o["details"]["facts"].as_array().cloned().unwrap_or_default();
        facts.iter().map(|f| f[1].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let expected = [
        (["a < b true", "d == 0 true"], "infeasible"),
        (["a < b true", "d == 0 false"], "covered"),
        (["a < b false", "d == 0 true"], "covered"),
        (["a < b false", "d == 0 false"], "covered"),
    ];
    let found = objectives(&report)?;
    ensure!(found.len() == expected.len(), "{found:?}");
    for (o, (outcomes, verdict)) in found.iter().zip(expected) {
        ensure!(words(o) == outcomes && o["verdict"] == verdict, "{o}");
        let told = if verdict == "covered" { o["tests"][0].is_string() } else { o["reason"].is_string() };
        ensure!(told, "{o}");
    }
    Ok(())
}

fn bounds_are_told() -> Result<()> {
    let file = root()?.join("tests/c/criteria/paths_beyond.c");
    let bounded = run(&file, &["-c", "local-path", "--loop-bound", "2", "-s", "guided"])?;
    let open = objectives(&bounded)?.iter().find(|o| o["verdict"] == "unknown").context("nothing is open")?;
    let reason = open["reason"].as_str().unwrap_or_default();
    ensure!(reason.contains("within the loop bound 2"), "{reason}");
    let wider = run(&file, &["-c", "local-path", "--loop-bound", "4", "-s", "guided"])?;
    ensure!(wider["totals"]["local-path"]["covered"] == 2, "{}", wider["totals"]);
    Ok(())
}

fn plain_takes_more() -> Result<()> {
    let file = root()?.join("tests/c/criteria/local_paths.c");
    let run = |more: &[&str]| {
        let options = ["--loop-bound", "2", "--assume", "a>-99&&a<99&&b>-99&&b<99", "-c", "local-path"];
        run(&file, &[&options[..], more].concat())
    };
    // A line without code keeps plain generation going until all paths are known.
    let (plain, guided) = (run(&["-s", "dfs", "--point", "local_paths.c:1"])?, run(&["-s", "guided"])?);
    let number = |report: &Value, name: &str| report["stats"][name].as_u64().unwrap_or(0);
    ensure!(number(&guided, "tests") == 3, "{}", guided["stats"]);
    ensure!(number(&plain, "executions") >= 9, "{}", plain["stats"]);
    ensure!(number(&guided, "executions") < number(&plain, "executions"), "{} {}", guided["stats"], plain["stats"]);
    Ok(())
}

fn traces_are_counted() -> Result<()> {
    let file = root()?.join("bench/guided/arraypower.c");
    let mut command = Command::new(env!("CARGO_BIN_EXE_covenant"));
    command.args(["traces", "--count", "-f", "arraypower"]).arg(&file);
    let done = process::run(command, &[], LIMIT)?;
    let text = String::from_utf8_lossy(&done.stdout);
    ensure!(text.trim() == "arraypower: 31 traces within loop bound 2, 9 refined", "{text}");
    Ok(())
}

fn guards_are_certified() -> Result<()> {
    let file = root()?.join("tests/c/criteria/paths_of_a_count.c");
    let home = tempfile::tempdir()?;
    let mut report = report(&generate(&file, &Notes::read(&file)?, home.path(), TIMEOUT, &["--no-replay"])?)?;
    let proved = objectives(&report)?.iter().filter(|o| o["proof"] == GUARDS).count();
    ensure!(proved == 7, "{proved} paths are certified");
    let unconfirmed = unconfirmed(home.path(), &report, TIMEOUT)?;
    ensure!(unconfirmed.is_empty(), "not confirmed:\n{}", unconfirmed.concat());
    // The same claim about a path that a test takes.
    let all = report["objectives"].as_array_mut().context("no objectives")?;
    let taken = all.iter_mut().find(|o| o["verdict"] == "covered").context("nothing is covered")?;
    (taken["verdict"], taken["proof"], taken["prover"]) = ("infeasible".into(), GUARDS.into(), "guards".into());
    let id = taken["id"].clone();
    let out = home.path().join("out");
    std::fs::write(out.join("report.json"), serde_json::to_vec(&report)?)?;
    let mut guards: Value = serde_json::from_slice(&std::fs::read(out.join(GUARDS))?)?;
    guards["paths"].as_array_mut().context("no paths")?.push(id);
    std::fs::write(out.join(GUARDS), serde_json::to_vec(&guards)?)?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_covenant"));
    command.args(["check", "out", "--quiet"]).current_dir(home.path());
    let done = process::run(command, &[], LIMIT)?;
    ensure!(done.status == Some(3), "a false proof, and the status is {:?}", done.status);
    Ok(())
}

fn many_paths_are_cut() -> Result<()> {
    let home = tempfile::tempdir()?;
    let file = home.path().join("many.c");
    let branches: String = (0..40).map(|bit| format!("    if (a & 1ul << {bit})\n        n++;\n")).collect();
    let notes = "// function: many\n// expect: local-path covered 0 infeasible 0 unknown 400\n";
    let body = format!("    int n = 0;\n{branches}    return n;\n");
    std::fs::write(&file, format!("{notes}int many(unsigned long a)\n{{\n{body}}}\n"))?;
    let report = run(&file, &["-c", "local-path", "--max-iterations", "3"])?;
    ensure!(objectives(&report)?.len() == 400, "{} paths", objectives(&report)?.len());
    let assumed = report["assumptions"].to_string();
    ensure!(assumed.contains("only 400 paths are objectives"), "{assumed}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_covenant"));
    command.args(["traces", "--count", "--limit", "100", "-f", "many"]).arg(&file);
    let done = process::run(command, &[], LIMIT)?;
    let text = String::from_utf8_lossy(&done.stdout);
    ensure!(text.contains("more than 100 refined"), "{text}");
    Ok(())
}
