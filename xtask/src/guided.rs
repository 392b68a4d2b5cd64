//! `cargo xtask bench guided`: the two tables of "A Framework for Guided Test Case Generation in Constraint Logic Programming"
//! for C versions of its subjects, and its examples.
//!
//! "Plain" explores all paths up to the loop bound depth first and keeps the tests that are needed; for points it ends as
//! soon as all are reached, as in the paper. "Guided" is `-s guided`. Each path of plain generation is a run, which the paper
//! calls a test case before the filtering.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
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
    /// For each run.
    #[arg(long, default_value = "120s")]
    timeout: String,
    /// Only subjects whose name has this in it; nothing is saved.
    #[arg(long)]
    only: Option<String>,
}

/// The loop bound of the paper.
const BOUND: &str = "2";
/// The bound of plain generation, which counts how often a path takes a branch: a loop that goes back to its head twice is come
/// to three times.
const PLAIN_BOUND: &str = "3";
/// How much slower than plain generation guided one may be.
const MOST_TIMES: f64 = 1.1;
/// Searches that take less are not compared by their time.
const LEAST_MS: u64 = 200;

struct Measured {
    name: String,
    /// All local paths, plain and guided.
    paths: [Value; 2],
    /// Points, likewise.
    points: [Value; 2],
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = match &options.covenant {
        Some(path) => path.canonicalize().with_context(|| format!("no binary {}", path.display()))?,
        None => crate::build_covenant(root)?,
    };
    let folder = root.join("bench/guided");
    let mut files: Vec<PathBuf> = fs::read_dir(folder.join("subjects"))?.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "c"));
    files.retain(|path| options.only.as_ref().is_none_or(|only| path.display().to_string().contains(only)));
    files.sort();
    let mut all = Vec::new();
    for file in &files {
        let measured = measure(&covenant, file, &options.timeout)?;
        eprintln!("{} is measured", measured.name);
        all.push(measured);
    }
    let mut text = tables(&all)?;
    if options.only.is_none() {
        text.push_str(&examples(&covenant, &folder)?);
    }
    print!("{text}");
    if options.only.is_none() {
        save(root, options, &text)?;
    }
    Ok(all.iter().all(Measured::keeps_the_promise))
}

fn save(root: &Path, options: &Options, text: &str) -> Result<()> {
    let date = options.date.clone().map_or_else(crate::bench::today, Ok)?;
    let file = root.join(format!("bench/results/guided-{date}.md"));
    let head = format!(
        "# Guided generation, {date}\n\nLoop bound {BOUND}; plain generation may take a branch {PLAIN_BOUND} times. Wall times are those of a shared machine, of the search alone; counts \
         are exact. A search marked + did not end within {}.\n\n",
        options.timeout
    );
    fs::write(&file, head + text).with_context(|| file.display().to_string())?;
    println!("saved as {}", file.strip_prefix(root).unwrap_or(&file).display());
    Ok(())
}

fn measure(covenant: &Path, file: &Path, timeout: &str) -> Result<Measured> {
    let name = file.file_stem().and_then(|s| s.to_str()).context("a name that is no text")?.to_owned();
    let text = fs::read_to_string(file)?;
    let short = file.file_name().and_then(|s| s.to_str()).context("a name that is no text")?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| line.ends_with("// point"));
    let points: Vec<String> = lines.map(|(number, _)| format!("{short}:{number}")).collect();
    let points: Vec<&str> = points.iter().flat_map(|point| ["--point", point.as_str()]).collect();
    let generate = |strategy: &str, more: &[&str]| {
        let bound = if strategy == "guided" { BOUND } else { PLAIN_BOUND };
        let mut args = vec!["-s", strategy, "--loop-bound", bound, "--timeout", timeout, "--measure", "branch"];
        args.extend(more);
        generate(covenant, file, &text, &args)
    };
    // A line without code is never reached, so that plain generation ends with the last path.
    let nowhere = format!("{short}:1");
    Ok(Measured {
        name,
        paths: [
            generate("dfs", &["-c", "local-path", "--point", &nowhere])?,
            generate("guided", &["-c", "local-path"])?,
        ],
        points: [generate("dfs", &points)?, generate("guided", &points)?],
    })
}

fn generate(covenant: &Path, file: &Path, text: &str, args: &[&str]) -> Result<Value> {
    let note = |key: &str| text.lines().find_map(|line| line.strip_prefix(&format!("// {key}: ")));
    let function = note("function").with_context(|| format!("{}: no `// function:`", file.display()))?.trim();
    let out = tempfile::tempdir()?;
    let mut command = Command::new(covenant);
    command.args(["gen", "--json", "--no-progress", "--no-replay", "-f", function, "-o"]).arg(out.path());
    command.args(note("options").unwrap_or_default().split_whitespace()).args(args).arg(file);
    let done = command.output().context("cannot start covenant")?;
    let words = String::from_utf8_lossy(&done.stderr);
    ensure!(matches!(done.status.code(), Some(0 | 1)), "{} {args:?}: {words}", file.display());
    serde_json::from_slice(&done.stdout).with_context(|| format!("{}: no report", file.display()))
}

fn stat(report: &Value, key: &str) -> u64 {
    report["stats"][key].as_u64().unwrap_or(0)
}

fn total(report: &Value, criterion: &str, key: &str) -> u64 {
    report["totals"][criterion][key].as_u64().unwrap_or(0)
}

/// Branches that the tests cover.
fn coverage(report: &Value) -> String {
    let (covered, all) = (total(report, "branch", "covered"), total(report, "branch", "objectives"));
    if all == 0 { "-".to_owned() } else { format!("{:.0}%", 100.0 * covered as f64 / all as f64) }
}

/// Milliseconds, marked where the search did not end.
fn time(report: &Value) -> String {
    let mark = if report["status"] == "complete" { "" } else { "+" };
    format!("{}{mark}", stat(report, "search_ms"))
}

impl Measured {
    /// Guided generation needs no more runs than plain, and no more time.
    fn keeps_the_promise(&self) -> bool {
        [&self.paths, &self.points].iter().all(|[plain, guided]| {
            let ratio = |key: &str| stat(guided, key) as f64 / stat(plain, key).max(1) as f64;
            let slow = stat(guided, "search_ms") > LEAST_MS && ratio("search_ms") > MOST_TIMES;
            ratio("executions") <= MOST_TIMES && !slow
        })
    }
}

fn row(name: &str, [plain, guided]: &[Value; 2], traces: &str) -> String {
    let faster = stat(plain, "search_ms") as f64 / stat(guided, "search_ms").max(1) as f64;
    let fewer = stat(plain, "solver_calls") as f64 / stat(guided, "solver_calls").max(1) as f64;
    format!(
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {traces} | {faster:.1} | {fewer:.1} |",
        time(plain),
        stat(plain, "executions"),
        stat(plain, "solver_calls"),
        coverage(plain),
        time(guided),
        stat(guided, "tests"),
        stat(guided, "executions"),
        stat(guided, "solver_calls"),
        coverage(guided),
    )
}

const HEAD: &str = "| subject | T | N | calls | CC | Tg | Ng | runs | calls | CCg | GT/UT | T/Tg | calls/calls |\n\
                    |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|";

fn tables(all: &[Measured]) -> Result<String> {
    let mut text = String::from(
        "T, N: milliseconds and runs of plain generation. Tg, Ng: milliseconds and tests of guided generation. CC: branches \
         covered.\n\n## Table 1: all local paths\n\nGT/UT: paths within the bound, and those of them that no input takes \
         (or none within the bound).\n\n",
    );
    writeln!(text, "{HEAD}")?;
    for m in all {
        let guided = &m.paths[1];
        let sum = |keys: [&str; 2]| keys.iter().map(|key| total(guided, "local-path", key)).sum::<u64>();
        let traces = format!("{}/{}", total(guided, "local-path", "objectives"), sum(["infeasible", "unknown"]));
        writeln!(text, "{}", row(&m.name, &m.paths, &traces))?;
    }
    writeln!(
        text,
        "\n## Table 2: three points\n\nGT/UT: ways that were tried, and those of them that no input takes.\n"
    )?;
    writeln!(text, "{HEAD}")?;
    for m in all {
        let tried = stat(&m.points[1], "iterations");
        let taken = stat(&m.points[1], "executions").saturating_sub(1);
        writeln!(text, "{}", row(&m.name, &m.points, &format!("{tried}/{}", tried.saturating_sub(taken))))?;
    }
    text.push('\n');
    Ok(text)
}

/// The examples of the paper: tests of lcm, traces of arraypower.
fn examples(covenant: &Path, folder: &Path) -> Result<String> {
    let file = folder.join("lcm.c");
    let source = fs::read_to_string(&file)?;
    let bound = ["--loop-bound", BOUND];
    let generate = |more: &[&str]| generate(covenant, &file, &source, &[&bound[..], more].concat());
    let plain = generate(&["-s", "dfs", "-c", "local-path", "--point", "lcm.c:1"])?;
    let guided = generate(&["-c", "local-path"])?;
    let points = generate(&["-s", "guided", "--point", "lcm.c:12", "--point", "lcm.c:35"])?;
    let mut text = String::from("## Examples\n\n");
    writeln!(
        text,
        "* lcm, all local paths: {} tests, {} of {} paths infeasible; plain generation makes {} runs. The paper: 3 and 9.\n\
         * lcm, two points: {} covered by {} test. The paper: 1.",
        stat(&guided, "tests"),
        total(&guided, "local-path", "infeasible"),
        total(&guided, "local-path", "objectives"),
        stat(&plain, "executions"),
        total(&points, "point", "covered"),
        stat(&points, "tests"),
    )?;
    for bound in ["2", "3"] {
        let mut command = Command::new(covenant);
        command.args(["traces", "--count", "--loop-bound", bound, "-f", "arraypower"]).arg(folder.join("arraypower.c"));
        let done = command.output().context("cannot start covenant")?;
        ensure!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        writeln!(
            text,
            "* {}. The paper, with loop-2 of its own code: 497 and 161.",
            String::from_utf8_lossy(&done.stdout).trim()
        )?;
    }
    Ok(text)
}
