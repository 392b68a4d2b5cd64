//! `cargo xtask bench programs`: whole programs (`bench/programs/subjects`), from `covenant gen FILE.c` alone and its replay through the
//! program itself, beside two plain strategies.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The date of the results.
    #[arg(long)]
    date: Option<String>,
    /// Use this binary instead of building one.
    #[arg(long)]
    covenant: Option<PathBuf>,
    /// For each search.
    #[arg(long, default_value = "60s")]
    timeout: String,
    /// For each search of the plain strategies, unless the same.
    #[arg(long)]
    plain_timeout: Option<String>,
    /// Only programs whose name has this in it; nothing is saved.
    #[arg(long)]
    only: Option<String>,
    /// Leave the plain strategies out; nothing is saved.
    #[arg(long)]
    alone: bool,
}

/// The share of branches that are to be decided.
const DECIDED: f64 = 0.98;
/// What the default is held against.
const PLAIN: [&str; 2] = ["dfs", "random-input"];

struct Measured {
    name: String,
    lines: usize,
    report: Value,
    /// Whether the replay agreed, and what the script with the program itself said.
    replayed: bool,
    script: String,
    plain: Vec<Value>,
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant(root, options.covenant.as_deref())?;
    let mut files: Vec<PathBuf> =
        fs::read_dir(root.join("bench/programs/subjects"))?.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "c"));
    files.retain(|path| options.only.as_ref().is_none_or(|only| path.display().to_string().contains(only)));
    files.sort();
    let mut all = Vec::new();
    for file in &files {
        let measured = measure(&covenant, file, options)?;
        eprintln!("{}: {:.1}% decided", measured.name, 100.0 * decided(&measured.report));
        all.push(measured);
    }
    let text = table(&all);
    print!("{text}");
    if options.only.is_none() && !options.alone {
        save(root, options, &text)?;
    }
    let broken: Vec<&Measured> =
        all.iter().filter(|m| decided(&m.report) < DECIDED || !m.replayed || m.script != "agrees").collect();
    broken.iter().for_each(|m| println!("{}: less than {:.0}% decided, or a replay differs", m.name, 100.0 * DECIDED));
    Ok(broken.is_empty())
}

fn measure(covenant: &Path, file: &Path, options: &Options) -> Result<Measured> {
    let name = file.file_stem().and_then(|s| s.to_str()).context("a name that is no text")?.to_owned();
    let text = fs::read_to_string(file)?;
    let more = text.lines().find_map(|line| line.strip_prefix("// options: ")).unwrap_or_default();
    let more: Vec<&str> = more.split_whitespace().collect();
    let out = tempfile::tempdir()?;
    let generate = |strategy: &[&str], timeout: &str, dir: &Path| -> Result<(Value, bool)> {
        let mut command = Command::new(covenant);
        command.args(["gen", "--json", "--no-progress", "--suite", "c,sh", "--timeout", timeout, "-o"]).arg(dir);
        command.args(strategy).args(&more).arg(file);
        let done = command.output().context("cannot start covenant")?;
        let words = String::from_utf8_lossy(&done.stderr);
        ensure!(matches!(done.status.code(), Some(0 | 1 | 3)), "{} {strategy:?}: {words}", file.display());
        let agrees = done.status.code() != Some(3);
        let report = if agrees { done.stdout } else { fs::read(dir.join("report.json"))? };
        Ok((serde_json::from_slice(&report).with_context(|| format!("{}: no report", file.display()))?, agrees))
    };
    let (report, replayed) = generate(&[], &options.timeout, out.path())?;
    let script = script(file, out.path())?;
    let mut plain = Vec::new();
    for strategy in PLAIN.iter().filter(|_| !options.alone) {
        let dir = tempfile::tempdir()?;
        let timeout = options.plain_timeout.as_ref().unwrap_or(&options.timeout);
        plain.push(generate(&["-s", strategy], timeout, dir.path())?.0);
    }
    Ok(Measured { name, lines: text.lines().count(), report, replayed, script, plain })
}

/// What the program itself does with the tests.
fn script(file: &Path, out: &Path) -> Result<String> {
    let program = out.join("program");
    let built = Command::new("gcc").args(["-O1", "-w", "-o"]).arg(&program).arg(file).status().context("no gcc")?;
    ensure!(built.success(), "{} does not compile", file.display());
    let done = Command::new("sh").arg(out.join("suite/sh/run.sh")).arg(&program).output().context("no sh")?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let tests = said.lines().filter(|line| line.starts_with("ok ") || line.starts_with("not ok ")).count();
    let failed: Vec<&str> = said.lines().filter(|line| line.starts_with("not ok ")).collect();
    Ok(match (&failed[..], tests) {
        // A program without an end is not run to it.
        ([], 0) => "agrees".to_owned(),
        ([], _) if done.status.success() => "agrees".to_owned(),
        (failed, _) => format!("differs: {}", failed.join("; ")),
    })
}

fn total(report: &Value, key: &str) -> u64 {
    report["totals"]["branch"][key].as_u64().unwrap_or(0)
}

fn decided(report: &Value) -> f64 {
    (total(report, "covered") + total(report, "infeasible")) as f64 / total(report, "objectives").max(1) as f64
}

/// How many objectives are open, by the kind of the reason.
fn open(report: &Value) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for objective in report["objectives"].as_array().into_iter().flatten().filter(|o| o["verdict"] == "unknown") {
        *kinds.entry(objective["kind"].as_str().unwrap_or("?")).or_default() += 1;
    }
    let words: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    if words.is_empty() { "0".to_owned() } else { words.join(", ") }
}

fn table(all: &[Measured]) -> String {
    let mut text = String::from(
        "| program | lines | branches | covered | infeasible | open | decided | tests | runs | forked | blind | s | replay | script | covered by dfs | by random-input |\n\
         |---|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---|---|---:|---:|\n",
    );
    for m in all {
        let stat = |key: &str| m.report["stats"][key].as_u64().unwrap_or(0);
        let plain: Vec<String> = m.plain.iter().map(|report| total(report, "covered").to_string()).collect();
        let plain = if plain.is_empty() { "- | -".to_owned() } else { plain.join(" | ") };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {:.1}% | {} | {} | {} | {} | {:.1} | {} | {} | {plain} |",
            m.name,
            m.lines,
            total(&m.report, "objectives"),
            total(&m.report, "covered"),
            total(&m.report, "infeasible"),
            open(&m.report),
            100.0 * decided(&m.report),
            stat("tests"),
            stat("executions"),
            stat("forked_runs"),
            stat("blind_runs"),
            stat("wall_ms") as f64 / 1000.0,
            if m.replayed { "agrees" } else { "differs" },
            m.script,
        );
    }
    text
}

fn save(root: &Path, options: &Options, text: &str) -> Result<()> {
    let date = options.date.clone().map_or_else(crate::bench::today, Ok)?;
    let file = root.join(format!("bench/results/programs-{date}.md"));
    let head = format!(
        "# Whole programs, {date}\n\n`covenant gen FILE.c` with {} for each search, plain strategies with {}. \"forked\" are runs in which \
         functions of the C library decided more than once by inputs, \"blind\" further runs with inputs of chance. \"replay\" is the \
         native suite, \"script\" the program itself, run by `suite/sh/run.sh` with each test that ends.\n\n",
        options.timeout,
        options.plain_timeout.as_ref().unwrap_or(&options.timeout),
    );
    fs::write(&file, head + text).with_context(|| file.display().to_string())?;
    println!("saved as {}", file.strip_prefix(root).unwrap_or(&file).display());
    Ok(())
}
