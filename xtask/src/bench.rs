//! The speed of the interpreter: the kernels of bench/interp, interpreted and native at -O0, in one run.
//!
//! The start-up of both sides, measured on an empty `main`, is taken off. Of several runs the fastest counts.

use crate::{process, stats};
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// How often each kernel runs
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// The date in the name of the results [default: today]
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<String>,
    /// The binary to measure instead of building one
    #[arg(long, value_name = "PATH")]
    covenant: Option<PathBuf>,
    /// Print the table, save nothing
    #[arg(long)]
    no_save: bool,
}

const KERNELS: &[&str] = &["arithmetic", "sorting", "strings"];
/// The promises: how much slower than native at most, and how many instructions a second on the first kernel.
const MOST_TIMES_SLOWER: f64 = 60.0;
const LEAST_PER_SECOND: f64 = 60e6;
const LIMIT: Duration = Duration::from_secs(300);

#[derive(Debug)]
struct Row {
    kernel: String,
    native_ms: f64,
    covenant_ms: f64,
    instructions: Option<f64>,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.covenant_ms / self.native_ms
    }

    fn per_second(&self) -> Option<f64> {
        Some(self.instructions? / self.covenant_ms * 1e3)
    }
}

/// Returns whether the promises hold.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant(root, options.covenant.as_deref())?;
    let scratch = tempfile::tempdir()?;
    let empty = scratch.path().join("empty.c");
    fs::write(&empty, "int main(void) { return 0; }\n")?;
    let native_start = native(&empty, scratch.path(), options.runs)?.0;
    let (covenant_start, ..) = interpreted(&covenant, &empty, options.runs)?;
    let mut rows = Vec::new();
    for kernel in KERNELS {
        let source = root.join("bench/interp").join(format!("{kernel}.c"));
        let (native_wall, native_out) = native(&source, scratch.path(), options.runs)?;
        let (covenant_wall, covenant_out, instructions) = interpreted(&covenant, &source, options.runs)?;
        ensure!(native_out == covenant_out, "{kernel}: covenant prints something else than the native binary");
        rows.push(Row {
            kernel: (*kernel).to_owned(),
            native_ms: above(native_wall, native_start),
            covenant_ms: above(covenant_wall, covenant_start),
            instructions,
        });
    }
    let text = report(&rows, native_start, covenant_start, options.runs);
    print!("{text}");
    if !options.no_save {
        save(root, options, &text)?;
    }
    Ok(promises(&rows).iter().all(|(_, kept)| *kept))
}

/// Milliseconds above the start-up; never quite nothing, so that ratios stay finite.
fn above(wall: Duration, start: Duration) -> f64 {
    (wall.saturating_sub(start).as_secs_f64() * 1e3).max(0.01)
}

fn native(source: &Path, scratch: &Path, runs: usize) -> Result<(Duration, Vec<u8>)> {
    let binary = scratch.join("kernel");
    let mut clang = Command::new("clang-19");
    clang.args(["-O0", "-w"]).arg(source).arg("-o").arg(&binary);
    let built = process::run(&mut clang, LIMIT)?;
    ensure!(built.status == Some(0), "clang cannot build {}:\n{}", source.display(), built.stderr);
    let (wall, stdout, _) = fastest(|| Command::new(&binary), runs)?;
    Ok((wall, stdout))
}

fn interpreted(covenant: &Path, source: &Path, runs: usize) -> Result<(Duration, Vec<u8>, Option<f64>)> {
    let command = || {
        let mut command = Command::new(covenant);
        command.args(["run", "--stats"]).arg(source);
        command
    };
    let (wall, stdout, stderr) = fastest(command, runs)?;
    Ok((wall, stdout, stats::number(&stderr, "instructions")))
}

fn fastest(command: impl Fn() -> Command, runs: usize) -> Result<(Duration, Vec<u8>, String)> {
    let mut best: Option<process::Finished> = None;
    for _ in 0..runs.max(1) {
        let done = process::run(&mut command(), LIMIT)?;
        if done.status != Some(0) {
            bail!("{:?} ended with {:?}:\n{}", command(), done.status, done.stderr);
        }
        if best.as_ref().is_none_or(|best| done.wall < best.wall) {
            best = Some(done);
        }
    }
    let best = best.context("no run")?;
    Ok((best.wall, best.stdout, best.stderr))
}

fn promises(rows: &[Row]) -> Vec<(String, bool)> {
    let mut all: Vec<_> = rows
        .iter()
        .map(|row| {
            let text = format!("{}: at most {MOST_TIMES_SLOWER} times slower than native", row.kernel);
            (text, row.ratio() <= MOST_TIMES_SLOWER)
        })
        .collect();
    if let Some(row) = rows.first() {
        let text = format!("{}: at least {} million instructions a second", row.kernel, LEAST_PER_SECOND / 1e6);
        all.push((text, row.per_second().is_some_and(|speed| speed >= LEAST_PER_SECOND)));
    }
    all
}

fn report(rows: &[Row], native_start: Duration, covenant_start: Duration, runs: usize) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "| kernel | native -O0 ms | covenant ms | times slower | instructions | M instr/s |");
    let _ = writeln!(text, "|---|---:|---:|---:|---:|---:|");
    for row in rows {
        let instructions = row.instructions.map_or("?".to_owned(), |n| format!("{n:.0}"));
        let speed = row.per_second().map_or("?".to_owned(), |n| format!("{:.1}", n / 1e6));
        let (native, ours, ratio) = (row.native_ms, row.covenant_ms, row.ratio());
        let _ = writeln!(text, "| {} | {native:.1} | {ours:.1} | {ratio:.1} | {instructions} | {speed} |", row.kernel);
    }
    let (native, ours) = (native_start.as_secs_f64() * 1e3, covenant_start.as_secs_f64() * 1e3);
    let _ = writeln!(text, "\nStart-up, taken off above: native {native:.1} ms, covenant {ours:.1} ms (with clang).");
    let _ = writeln!(text, "The fastest of {runs} runs counts.\n");
    for (promise, kept) in promises(rows) {
        let _ = writeln!(text, "- {} {promise}", if kept { "kept:" } else { "NOT KEPT:" });
    }
    text
}

fn save(root: &Path, options: &Options, table: &str) -> Result<()> {
    let date = options.date.clone().map_or_else(today, Ok)?;
    let directory = root.join("bench/results");
    fs::create_dir_all(&directory)?;
    let file = directory.join(format!("interp-{date}.md"));
    let text = format!("# Interpreter speed, {date}\n\n{}\n{table}", machine());
    fs::write(&file, text)?;
    println!("saved as bench/results/interp-{date}.md");
    Ok(())
}

/// Processor, load and compiler, as far as they tell.
pub(crate) fn machine() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu =
        cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map_or("?", |(_, name)| name);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("?");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let clang = Command::new("clang-19").arg("--version").output().map(|done| done.stdout).unwrap_or_default();
    let clang = String::from_utf8_lossy(&clang);
    let clang = clang.lines().next().unwrap_or("?");
    format!("Processor: {cpu}, {cores} cores, load {load} at the end. Native: {clang}.\n")
}

pub(crate) fn today() -> Result<String> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is before 1970")?.as_secs();
    let (year, month, day) = civil(seconds / 86_400);
    Ok(format!("{year:04}-{month:02}-{day:02}"))
}

/// The Gregorian date of a count of days since 1970-01-01.
fn civil(days: u64) -> (u64, u64, u64) {
    let mut rest = days;
    let mut year = 1970;
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while rest >= 365 + u64::from(leap(year)) {
        rest -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    (year, month, rest + 1)
}

#[cfg(test)]
mod tests {
    use super::{Row, civil, promises};

    #[test]
    fn dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(59), (1970, 3, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(19_782), (2024, 2, 29));
        assert_eq!(civil(20_818), (2026, 12, 31));
    }

    #[test]
    fn promises_judge_ratio_and_speed() {
        let row = |covenant_ms, instructions| Row { kernel: "k".into(), native_ms: 10.0, covenant_ms, instructions };
        let kept = |row| promises(&[row]).iter().map(|(_, kept)| *kept).collect::<Vec<_>>();
        assert_eq!(kept(row(500.0, Some(40e6))), [true, true]);
        assert_eq!(kept(row(700.0, Some(40e6))), [false, false]);
        assert_eq!(kept(row(500.0, None)), [true, false]);
    }
}
