//! `cargo xtask bench guided`: the two tables of "A Framework for Guided Test Case Generation in Constraint Logic Programming"
//! for C versions of its subjects, and its examples.
//!
//! "Plain" explores all paths up to the loop bound depth first and keeps the tests that are needed; for points it ends as
//! soon as all are reached, as in the paper. "Guided" is `-s guided`, with the same bound. Each path of plain generation is a
//! run, which the paper calls a test case before the filtering.
//!
//! The points of a subject are marked `// point`. They are the same in all: the first and the last return of the function, and
//! the end of its loop, or of its last branch where it has none.

use crate::words::Status;
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
/// How much slower than plain generation guided one may be.
const MOST_TIMES: f64 = 1.1;
/// Microseconds by which times differ from run to run: of less nothing is said.
const NOISE: f64 = 3_000.0;
/// How often a search is made, of which the median counts, unless all together take too long.
const TIMES: usize = 7;
const LONG: u64 = 25_000_000;
/// The larger subjects, and how much faster points are to be reached in these.
const LARGER: [&str; 5] = ["bst_add_all", "bst_find_all", "bst_remove", "hpq_insert", "hpq_remove"];
const TIMES_FASTER: f64 = 10.0;

struct Measured {
    name: String,
    /// All local paths, plain and guided.
    paths: [Value; 2],
    /// Points, likewise.
    points: [Value; 2],
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant(root, options.covenant.as_deref())?;
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
    let broken: Vec<String> = all.iter().flat_map(Measured::broken_promises).collect();
    broken.iter().for_each(|words| println!("{words}"));
    Ok(broken.is_empty())
}

fn save(root: &Path, options: &Options, text: &str) -> Result<()> {
    let date = options.date.clone().map_or_else(crate::bench::today, Ok)?;
    let file = root.join(format!("bench/results/guided-{date}.md"));
    let head = format!(
        "# Guided generation, {date}\n\nLoop bound {BOUND} for both. Wall times are those of a shared machine, of the search \
         alone, the median of up to {TIMES} searches; they differ by some {} ms from run to run. Counts are exact. A search marked + \
         did not end within {}.\n\n",
        NOISE / 1000.0,
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
        let mut args = vec!["-s", strategy, "--loop-bound", BOUND, "--timeout", timeout, "--measure", "branch"];
        args.extend(more);
        repeated(|| generate(covenant, file, &text, &args))
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

/// The same search several times: counts are the same each time, of the time it has the median.
fn repeated(search: impl Fn() -> Result<Value>) -> Result<Value> {
    let mut report = search()?;
    let mut times = vec![stat(&report, TIME)];
    while times.len() < TIMES && times.iter().sum::<u64>() < LONG {
        times.push(stat(&search()?, TIME));
    }
    times.sort_unstable();
    report["stats"][TIME] = times[times.len() / 2].into();
    Ok(report)
}

/// Microseconds of a search.
const TIME: &str = "search_us";

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
    let mark = if Status::of(report) == Status::Complete { "" } else { "+" };
    format!("{:.1}{mark}", stat(report, TIME) as f64 / 1000.0)
}

impl Measured {
    /// What is wrong with the times.
    fn broken_promises(&self) -> Vec<String> {
        let time = |report: &Value| stat(report, TIME) as f64;
        let mut broken = Vec::new();
        for (what, [plain, guided]) in [("paths", &self.paths), ("points", &self.points)] {
            if time(guided) > MOST_TIMES * time(plain) + NOISE {
                broken.push(format!("{}: guided generation is slower for {what}", self.name));
            }
        }
        let [plain, guided] = &self.points;
        if LARGER.contains(&self.name.as_str()) && time(guided) * TIMES_FASTER > time(plain) {
            broken.push(format!("{}: points are not reached ten times faster", self.name));
        }
        broken
    }
}

fn row(name: &str, [plain, guided]: &[Value; 2], traces: &str) -> String {
    let faster = stat(plain, TIME) as f64 / stat(guided, TIME).max(1) as f64;
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
        "\n## Table 2: three points\n\nThe first and the last return of the function, and the end of its loop, or of its last \
         branch where it has none. Depth-first search reaches these late; most other lines it reaches within a few runs, and \
         guidance gains little there. GT/UT: ways that were tried, and those of them that no input takes.\n"
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
