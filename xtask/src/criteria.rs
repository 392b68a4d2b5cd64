//! `cargo xtask bench criteria`: the tables of "Guided Test Generation for Coverage Criteria" on subjects of our own, with
//! what the paper leaves open: how much of what is not reached was proved unreachable.
//!
//! "Without" are tests that were made for branches alone, and counted; "with" are tests made for branches, MC/DC and
//! boundaries. Mutants are killed weakly, as in the paper: the changed expression has another value.

use anyhow::{Context, Result};
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
}

/// Where a report gets the CPU time that its run took, with compiling and without the replay.
const CPU_MS: &str = "cpu_ms";
/// What Linux counts CPU time in, whatever the clock of the kernel.
const MS_PER_TICK: u64 = 10;

/// What the runs of one subject gave.
struct Measured {
    name: String,
    lines: usize,
    /// Branches only.
    plain: Value,
    /// Branches, with all others counted.
    without: Value,
    with: Value,
    /// The same, with nothing counted beside it.
    both: Value,
    aimed: Value,
    /// Statements, and what the subject consists of.
    all: Value,
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant(root, options.covenant.as_deref())?;
    let mut files: Vec<_> =
        fs::read_dir(root.join("bench/criteria/subjects"))?.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "c"));
    files.sort();
    let out = tempfile::tempdir()?;
    let mut all = Vec::new();
    for file in &files {
        all.push(measure(&covenant, file, &out.path().join("out"), &options.timeout)?);
    }
    let text = tables(&all)?;
    print!("{text}");
    let date = options.date.clone().map_or_else(crate::bench::today, Ok)?;
    let file = root.join(format!("bench/results/criteria-{date}.md"));
    let head = format!(
        "# Criteria besides branches, {date}\n\nWall times are those of a shared machine; counts are exact.\n\n"
    );
    fs::write(&file, head + &text).with_context(|| file.display().to_string())?;
    println!("saved as {}", file.strip_prefix(root).unwrap_or(&file).display());
    let is_decided = |m: &Measured| {
        let with = ["branch", "boundary", "mcdc"].into_iter().map(|criterion| open(&m.with, criterion)).sum::<u64>();
        with + open(&m.aimed, "mutation") + open(&m.all, "statement") == 0
    };
    Ok(all.iter().all(is_decided))
}

fn measure(covenant: &Path, file: &Path, out: &Path, timeout: &str) -> Result<Measured> {
    let name = file.file_stem().and_then(|s| s.to_str()).context("a name that is no text")?.to_owned();
    let text = fs::read_to_string(file)?;
    let note = |key: &str| text.lines().find_map(|line| line.strip_prefix(&format!("// {key}: ")));
    let function = note("function").with_context(|| format!("{name}: no `// function:`"))?.trim().to_owned();
    let generate = |more: &[&str]| -> Result<Value> {
        let mut command = Command::new(covenant);
        command.args(["gen", "--json", "--no-progress", "--timeout", timeout, "-f", &function, "-o"]).arg(out);
        command.args(more).arg(file);
        let before = cpu_of_children()?;
        let done = command.output().context("cannot start covenant")?;
        let cpu_ms = cpu_of_children()? - before;
        anyhow::ensure!(
            matches!(done.status.code(), Some(0 | 1)),
            "{name} {more:?}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        let mut report: Value = serde_json::from_slice(&done.stdout).with_context(|| format!("{name}: no report"))?;
        report[CPU_MS] = cpu_ms.into();
        Ok(report)
    };
    let lines = text.lines().filter(|l| !l.trim().is_empty() && !l.trim_start().starts_with("//")).count();
    Ok(Measured {
        lines,
        plain: generate(&["-c", "branch", "--no-replay"])?,
        without: generate(&["-c", "branch", "--measure", "boundary,mcdc,mutation"])?,
        with: generate(&["-c", "branch,mcdc,boundary", "--measure", "mutation"])?,
        both: generate(&["-c", "branch,mcdc,boundary", "--no-replay"])?,
        aimed: generate(&["-c", "mutation"])?,
        all: generate(&["-c", "statement,function"])?,
        name,
    })
}

/// The CPU time of all processes that ended so far and that we waited for.
fn cpu_of_children() -> Result<u64> {
    let stat = fs::read_to_string("/proc/self/stat").context("no /proc/self/stat")?;
    // The name of the program may have spaces and stands in brackets.
    let (_, rest) = stat.rsplit_once(')').context("/proc/self/stat has another form")?;
    let ticks = rest.split_whitespace().skip(13).take(2).map(str::parse::<u64>).sum::<Result<u64, _>>()?;
    Ok(MS_PER_TICK * ticks)
}

fn total(report: &Value, criterion: &str, key: &str) -> u64 {
    report["totals"][criterion][key].as_u64().unwrap_or(0)
}

fn open(report: &Value, criterion: &str) -> u64 {
    total(report, criterion, "unknown")
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.1}%", 100.0 * part as f64 / whole as f64) }
}

/// What is left of a criterion: proved, and open.
fn left(report: &Value, criterion: &str, word: &str) -> String {
    let (proved, open) = (total(report, criterion, "infeasible"), open(report, criterion));
    match open {
        0 => format!("{proved}, all proved {word}"),
        _ => format!("{proved} proved {word}, {open} open"),
    }
}

fn tables(all: &[Measured]) -> Result<String> {
    let mut text = subjects(all)?;
    for (title, criterion) in [("III: boundary values", "boundary"), ("IV: MC/DC", "mcdc")] {
        writeln!(text, "## Table {title}\n")?;
        writeln!(
            text,
            "| subject | n | without (n1) | with (n2) | added | IF1 | left |\n|---|---:|---:|---:|---:|---:|---|"
        )?;
        let mut sums = [0; 3];
        for m in all {
            let n = total(&m.with, criterion, "objectives");
            let [n1, n2] = [&m.without, &m.with].map(|report| total(report, criterion, "covered"));
            sums = [sums[0] + n, sums[1] + n1, sums[2] + n2];
            let rest = left(&m.with, criterion, "infeasible");
            writeln!(text, "| {} | {}| {rest} |", m.name, improvement([n, n1, n2]))?;
        }
        writeln!(text, "| all | {}| |\n", improvement(sums))?;
    }
    text.push_str(&mutants(all)?);
    text.push_str(&costs(all)?);
    Ok(text)
}

fn improvement([n, n1, n2]: [u64; 3]) -> String {
    let added = n2.saturating_sub(n1);
    let share = |part| percent(part, n);
    format!("{n} | {n1} ({}) | {n2} ({}) | {added} | {} ", share(n1), share(n2), share(added))
}

fn mutants(all: &[Measured]) -> Result<String> {
    let mut text = String::from("## Table V: mutants that are killed weakly\n\n");
    writeln!(
        text,
        "| subject | n | without (u) | with (v) | equivalent (s) | added (k) | IF2 | IF3 | killed when searched for | left |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---|"
    )?;
    for m in all {
        let n = total(&m.aimed, "mutation", "objectives");
        let [u, v, aimed] = [&m.without, &m.with, &m.aimed].map(|report| total(report, "mutation", "covered"));
        let s = total(&m.aimed, "mutation", "infeasible");
        let k = v.saturating_sub(u);
        writeln!(
            text,
            "| {} | {n} | {u} | {v} | {s} | {k} | {} | {} | {aimed} | {} |",
            m.name,
            percent(k, n.saturating_sub(s)),
            percent(k, n.saturating_sub(u + s)),
            left(&m.aimed, "mutation", "equivalent")
        )?;
    }
    text.push('\n');
    Ok(text)
}

/// Table II, and what every test generator is asked for first.
fn subjects(all: &[Measured]) -> Result<String> {
    let mut text = String::from("## Table II: the subjects, their statements and branches\n\n");
    writeln!(
        text,
        "| subject | lines | functions | statements | covered | left | branches | covered | left |\n\
         |---|---:|---:|---:|---:|---|---:|---:|---|"
    )?;
    for m in all {
        let of = |report: &Value, criterion: &str| {
            let [n, covered] = ["objectives", "covered"].map(|key| total(report, criterion, key));
            format!("{n} | {covered} ({}) | {}", percent(covered, n), left(report, criterion, "infeasible"))
        };
        let functions = total(&m.all, "function", "objectives");
        let (statements, branches) = (of(&m.all, "statement"), of(&m.plain, "branch"));
        writeln!(text, "| {} | {} | {functions} | {statements} | {branches} |", m.name, m.lines)?;
    }
    text.push('\n');
    Ok(text)
}

fn costs(all: &[Measured]) -> Result<String> {
    let mut text = String::from("## What it costs\n\nBranches alone, then branches with MC/DC and boundaries.\n\n");
    writeln!(
        text,
        "| subject | objectives | tests | runs | questions | of them SMT | CPU ms | ms | objectives | tests | runs \
         | questions | of them SMT | CPU ms | ms | times CPU | times |\n\
         |---|{}",
        "---:|".repeat(16)
    )?;
    for m in all {
        let (plain, with) = (Cost::of(&m.plain), Cost::of(&m.both));
        let times = |of: fn(&Cost) -> u64| of(&with) as f64 / of(&plain).max(1) as f64;
        let (cpu, wall) = (times(|cost| cost.cpu_ms), times(|cost| cost.wall_ms));
        writeln!(text, "| {} | {plain} | {with} | {cpu:.1} | {wall:.1} |", m.name)?;
    }
    text.push('\n');
    Ok(text)
}

/// What one run took.
struct Cost {
    objectives: u64,
    tests: u64,
    executions: u64,
    questions: u64,
    smt: u64,
    cpu_ms: u64,
    wall_ms: u64,
}

impl Cost {
    fn of(report: &Value) -> Cost {
        let stat = |key: &str| report["stats"][key].as_u64().unwrap_or(0);
        Cost {
            objectives: ["branch", "mcdc", "boundary"]
                .map(|criterion| total(report, criterion, "objectives"))
                .iter()
                .sum(),
            tests: stat("tests"),
            executions: stat("executions"),
            questions: stat("solver_calls"),
            smt: stat("smt_calls"),
            cpu_ms: report[CPU_MS].as_u64().unwrap_or(0),
            wall_ms: stat("wall_ms"),
        }
    }
}

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Cost { objectives, tests, executions, questions, smt, cpu_ms, wall_ms } = self;
        write!(f, "{objectives} | {tests} | {executions} | {questions} | {smt} | {cpu_ms} | {wall_ms}")
    }
}
