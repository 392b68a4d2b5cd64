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

/// What the runs of one subject gave.
struct Measured {
    name: String,
    lines: usize,
    /// Branches only.
    plain: Value,
    /// Branches, with all others counted.
    without: Value,
    with: Value,
    aimed: Value,
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = match &options.covenant {
        Some(path) => path.clone(),
        None => crate::build_covenant(root)?,
    };
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
    Ok(all.iter().all(|m| open(&m.with, "boundary") + open(&m.with, "mcdc") + open(&m.aimed, "mutation") == 0))
}

fn measure(covenant: &Path, file: &Path, out: &Path, timeout: &str) -> Result<Measured> {
    let name = file.file_stem().and_then(|s| s.to_str()).context("a name that is no text")?.to_owned();
    let text = fs::read_to_string(file)?;
    let note = |key: &str| text.lines().find_map(|line| line.strip_prefix(&format!("// {key}: ")));
    let function = note("function").with_context(|| format!("{name}: no `// function:`"))?.trim().to_owned();
    let given: Vec<&str> = note("options").unwrap_or_default().split_whitespace().collect();
    let generate = |more: &[&str]| -> Result<Value> {
        let mut command = Command::new(covenant);
        command.args(["gen", "--json", "--no-progress", "--timeout", timeout, "-f", &function, "-o"]).arg(out);
        command.args(&given).args(more).arg(file);
        let done = command.output().context("cannot start covenant")?;
        anyhow::ensure!(
            matches!(done.status.code(), Some(0 | 1)),
            "{name} {more:?}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        serde_json::from_slice(&done.stdout).with_context(|| format!("{name}: no report"))
    };
    let lines = text.lines().filter(|l| !l.trim().is_empty() && !l.trim_start().starts_with("//")).count();
    Ok(Measured {
        lines,
        plain: generate(&["-c", "branch"])?,
        without: generate(&["-c", "branch", "--measure", "boundary,mcdc,mutation"])?,
        with: generate(&["-c", "branch,mcdc,boundary", "--measure", "mutation"])?,
        aimed: generate(&["-c", "mutation"])?,
        name,
    })
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
    let mut text = String::new();
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

fn costs(all: &[Measured]) -> Result<String> {
    let mut text = String::from("## What it costs\n\n");
    writeln!(
        text,
        "| subject | lines | branches | tests | ms | with MC/DC and boundaries: tests | ms | times |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|"
    )?;
    for m in all {
        let stat = |report: &Value, key: &str| report["stats"][key].as_u64().unwrap_or(0);
        let (plain, with) = (stat(&m.plain, "wall_ms").max(1), stat(&m.with, "wall_ms"));
        writeln!(
            text,
            "| {} | {} | {} | {} | {plain} | {} | {with} | {:.1} |",
            m.name,
            m.lines,
            total(&m.plain, "branch", "objectives"),
            stat(&m.plain, "tests"),
            stat(&m.with, "tests"),
            with as f64 / plain as f64
        )?;
    }
    text.push('\n');
    Ok(text)
}
