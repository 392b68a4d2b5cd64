//! `cargo xtask bench replay`: what the native replay costs a test, and whether it finds one false claim among many.
//!
//! `--before BINARY` measures an earlier binary on the same results, for the processor time of both.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::stats::number;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The binary to measure; otherwise a release build.
    #[arg(long)]
    covenant: Option<PathBuf>,
    /// An earlier binary, for its processor time.
    #[arg(long)]
    before: Option<PathBuf>,
    /// The date of the results.
    #[arg(long)]
    date: Option<String>,
}

/// Seconds for 300 tests of one function, and milliseconds a test in the median.
const MOST_SECONDS: f64 = 3.0;
const MOST_MS: f64 = 10.0;
/// A replay that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(600);

/// One replay.
struct Row {
    name: String,
    tests: f64,
    alone: f64,
    wall_ms: f64,
    build_ms: f64,
    tests_ms: f64,
    median_ms: f64,
    cpu_ms: f64,
    /// The earlier binary, if there is one.
    before: Option<(f64, f64)>,
}

pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant(root, options.covenant.as_deref())?;
    let before = options.before.as_deref().map(Path::canonicalize).transpose().context("no earlier binary")?;
    let out = tempfile::tempdir()?;
    let mut files = c_files(&root.join("tests/c/gen"))?;
    files.extend(c_files(&root.join("bench/replay/subjects"))?);
    let mut rows = Vec::new();
    for file in &files {
        let name = file.file_stem().and_then(|s| s.to_str()).context("a name that is no text")?;
        let dir = out.path().join(name);
        generate(&covenant, file, &dir).with_context(|| name.to_owned())?;
        rows.push(measure(&covenant, before.as_deref(), name, &dir).with_context(|| name.to_owned())?);
    }
    let many = rows.last().map(|row| out.path().join(&row.name)).context("no subject")?;
    let found = false_claims(&covenant, &many)?;
    let promises = promises(&rows, found);
    let table = table(&rows, &promises);
    print!("{table}");
    save(root, options, &rows, &promises, &table)?;
    Ok(promises.iter().all(|(_, kept)| *kept))
}

fn c_files(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut files: Vec<_> = fs::read_dir(dir)?.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "c"));
    files.sort();
    Ok(files)
}

fn generate(covenant: &Path, file: &Path, out: &Path) -> Result<()> {
    let text = fs::read_to_string(file)?;
    let note = |key: &str| text.lines().find_map(|line| line.strip_prefix(&format!("// {key}: ")));
    let function = note("function").context("no `// function:`")?;
    let mut command = Command::new(covenant);
    command.args(["gen", "--json", "--no-replay", "--no-progress", "-f", function.trim(), "-o"]).arg(out);
    command.args(note("options").unwrap_or_default().split_whitespace()).arg(file);
    let done = crate::process::run(&mut command, LIMIT)?;
    ensure!(out.join("report.json").is_file(), "no report: {}", done.stderr);
    Ok(())
}

/// Milliseconds of processor time that our children have taken, with theirs, as far as they have ended.
fn children_cpu() -> Result<f64> {
    let text = fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = text.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok());
    // cutime and cstime, in hundredths of a second.
    Ok(10.0 * (ticks(13).context("no time")? + ticks(14).context("no time")?))
}

fn measure(covenant: &Path, before: Option<&Path>, name: &str, dir: &Path) -> Result<Row> {
    let start = children_cpu()?;
    let done = crate::process::run(Command::new(covenant).args(["replay", "--stats"]).arg(dir), LIMIT)?;
    let cpu_ms = children_cpu()? - start;
    ensure!(done.status == Some(0), "the replay failed: {}", done.stderr);
    let stat = |key: &str| number(&done.stderr, key).with_context(|| format!("no `{key}`"));
    let before = match before {
        Some(earlier) => {
            // It writes its own.
            fs::remove_dir_all(dir.join("suite"))?;
            let start = children_cpu()?;
            let done = crate::process::run(Command::new(earlier).arg("replay").arg(dir), LIMIT)?;
            // Tests that the earlier binary does not know how to run are not compared.
            (done.status == Some(0)).then_some((done.wall.as_secs_f64() * 1e3, children_cpu()? - start))
        }
        None => None,
    };
    Ok(Row {
        name: name.to_owned(),
        tests: stat("tests")?,
        alone: stat("tests that llvm-cov was asked about alone")?,
        wall_ms: done.wall.as_secs_f64() * 1e3,
        build_ms: stat("build ms")?,
        tests_ms: stat("tests ms")?,
        median_ms: stat("median ms a test")?,
        cpu_ms,
        before,
    })
}

/// Gives claims of single tests to others, one at a time, and says whether every replay objects.
fn false_claims(covenant: &Path, dir: &Path) -> Result<bool> {
    let path = dir.join("report.json");
    let text = fs::read_to_string(&path)?;
    let report: Value = serde_json::from_str(&text)?;
    let tests: Vec<&str> =
        report["tests"].as_array().into_iter().flatten().filter_map(|test| test["name"].as_str()).collect();
    let objectives = report["objectives"].as_array().context("no objectives")?;
    // A branch that one test alone takes.
    let single = |index: usize| {
        let covered = objectives[index]["tests"].as_array()?;
        (covered.len() == 1).then(|| covered[0].as_str()).flatten()
    };
    let of_one: Vec<usize> = (0..objectives.len()).filter(|index| single(*index).is_some()).collect();
    let picked = [0, of_one.len() / 2, of_one.len().saturating_sub(1)];
    let mut found = !of_one.is_empty();
    for index in picked.into_iter().filter_map(|index| of_one.get(index).copied()) {
        let other = tests.iter().find(|test| Some(**test) != single(index)).context("one test alone")?;
        let mut wrong = report.clone();
        wrong["objectives"][index]["tests"] = json!([other]);
        fs::write(&path, wrong.to_string())?;
        let done = crate::process::run(Command::new(covenant).arg("replay").arg(dir), LIMIT)?;
        let claim = format!("is claimed covered by test {other}, but the test does not take it");
        found &= done.status == Some(3) && done.stderr.lines().filter(|line| line.contains(&claim)).count() == 1;
    }
    fs::write(&path, text)?;
    Ok(found)
}

fn promises(rows: &[Row], found: bool) -> Vec<(String, bool)> {
    let mut all = Vec::new();
    if let Some((many, small)) = rows.split_last() {
        let text = format!("{:.0} tests of {} replayed in at most {MOST_SECONDS} s", many.tests, many.name);
        all.push((text, many.wall_ms <= MOST_SECONDS * 1e3 && many.tests >= 300.0));
        let mut medians: Vec<f64> = small.iter().map(|row| row.median_ms).collect();
        medians.sort_by(f64::total_cmp);
        let median = medians.get(medians.len() / 2).copied().unwrap_or(f64::MAX);
        all.push((format!("at most {MOST_MS} ms a test in the median of tests/c/gen"), median <= MOST_MS));
        all.push((format!("at most {MOST_MS} ms a test in the median of {}", many.name), many.median_ms <= MOST_MS));
    }
    all.push(("llvm-cov agrees with every group".to_owned(), rows.iter().all(|row| row.alone == 0.0)));
    all.push(("a false claim of any single test is found".to_owned(), found));
    let pairs: Vec<(f64, f64)> = rows.iter().filter_map(|row| Some((row.cpu_ms, row.before?.1))).collect();
    if !pairs.is_empty() {
        let (now, then) = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        let text = format!("half of the processor time or less: {now:.0} ms now, {then:.0} ms before");
        all.push((text, 2.0 * now <= then));
    }
    all
}

fn table(rows: &[Row], promises: &[(String, bool)]) -> String {
    let mut text = String::from(
        "| subject | tests | replay ms | building ms | running and confirming ms | median ms a test | cpu ms | \
         before: ms | before: cpu ms |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in rows {
        let Row { name, tests, wall_ms, build_ms, tests_ms, median_ms, cpu_ms, before, .. } = row;
        let earlier = before.map_or("- | -".to_owned(), |(wall, cpu)| format!("{wall:.0} | {cpu:.0}"));
        let _ = writeln!(
            text,
            "| {name} | {tests:.0} | {wall_ms:.0} | {build_ms:.0} | {tests_ms:.0} | {median_ms:.2} | {cpu_ms:.0} | {earlier} |"
        );
    }
    text.push('\n');
    for (promise, kept) in promises {
        let _ = writeln!(text, "- {} {promise}", if *kept { "kept:" } else { "NOT KEPT:" });
    }
    text
}

fn save(root: &Path, options: &Options, rows: &[Row], promises: &[(String, bool)], table: &str) -> Result<()> {
    let date = options.date.clone().map_or_else(crate::bench::today, Ok)?;
    let row = |row: &Row| {
        json!({
            "subject": row.name, "tests": row.tests, "replay_ms": row.wall_ms, "build_ms": row.build_ms,
            "tests_ms": row.tests_ms, "median_ms": row.median_ms, "cpu_ms": row.cpu_ms,
            "before_ms": row.before.map(|b| b.0), "before_cpu_ms": row.before.map(|b| b.1),
        })
    };
    let promise = |(text, kept): &(String, bool)| json!({ "promise": text, "kept": kept });
    let value = json!({
        "date": date,
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
        "promises": promises.iter().map(promise).collect::<Vec<_>>(),
    });
    let stem = root.join(format!("bench/results/replay-{date}"));
    fs::write(stem.with_extension("json"), serde_json::to_string_pretty(&value)? + "\n")?;
    let head = "Sanitizers are on. Wall times are those of a shared machine.";
    let text = format!("# Native replay, {date}\n\n{}\n{head}\n\n{table}", crate::bench::machine());
    fs::write(stem.with_extension("md"), text)?;
    println!("saved as bench/results/replay-{date}.md and .json");
    Ok(())
}
