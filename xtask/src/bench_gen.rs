//! `cargo xtask bench gen`: what test generation costs on the subjects of tests/c/gen, as counts and shares.

use anyhow::{Context, Result};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The date of the results.
    #[arg(long)]
    date: Option<String>,
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant(root, None)?;
    let mut table = String::from(
        "| subject | branches | covered | infeasible | open | tests | runs | queries | queries/s in the solver | runs/s | \
         share of time in the solver |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut files: Vec<_> = fs::read_dir(root.join("tests/c/gen"))?.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "c"));
    files.sort();
    let out = tempfile::tempdir()?;
    for file in &files {
        let name = file.file_stem().and_then(|s| s.to_str()).context("a name that is no text")?;
        let report = generate(&covenant, file, &out.path().join(name)).with_context(|| name.to_owned())?;
        writeln!(table, "{}", row(name, &report))?;
    }
    print!("{table}");
    let date = options.date.clone().map_or_else(crate::bench::today, Ok)?;
    let text = format!(
        "# Test generation, {date}\n\nWall times are those of a shared machine and include starting clang; counts are \
         exact.\n\n{table}"
    );
    let file = root.join(format!("bench/results/gen-{date}.md"));
    fs::write(&file, text).with_context(|| file.display().to_string())?;
    println!("saved as {}", file.strip_prefix(root).unwrap_or(&file).display());
    Ok(true)
}

fn generate(covenant: &Path, file: &Path, out: &Path) -> Result<Value> {
    let text = fs::read_to_string(file)?;
    let note = |key: &str| text.lines().find_map(|line| line.strip_prefix(&format!("// {key}: ")));
    let function = note("function").context("no `// function:`")?;
    let mut command = Command::new(covenant);
    command.args(["gen", "--json", "--no-replay", "--no-progress", "-f", function.trim(), "-o"]).arg(out);
    command.args(note("options").unwrap_or_default().split_whitespace());
    let done = command.arg(file).output().context("cannot start covenant")?;
    serde_json::from_slice(&done.stdout).context("no report")
}

fn row(name: &str, report: &Value) -> String {
    let stat = |key: &str| report["stats"][key].as_u64().unwrap_or(0);
    let total = |key: &str| report["totals"]["branch"][key].as_u64().unwrap_or(0);
    let (wall, solver) = (stat("wall_ms").max(1) as f64, stat("solver_ms") as f64);
    let rate =
        |count: u64, ms: f64| if ms < 1.0 { "-".to_owned() } else { format!("{:.0}", count as f64 * 1000.0 / ms) };
    format!(
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.0}% |",
        total("objectives"),
        total("covered"),
        total("infeasible"),
        total("unknown"),
        stat("tests"),
        stat("executions"),
        stat("solver_calls"),
        rate(stat("solver_calls"), solver),
        rate(stat("executions"), wall),
        100.0 * solver / wall
    )
}
