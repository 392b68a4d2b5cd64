//! `cargo xtask bench scale`: a project of many functions, on this machine and by workers of a queue.

pub(crate) mod kills;
mod server;
mod subject;

use anyhow::{Context, Result, ensure};
use server::{Server, Worker};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Use this binary instead of building one.
    #[arg(long)]
    covenant: Option<PathBuf>,
    /// So many functions.
    #[arg(long, default_value_t = 2000)]
    functions: usize,
    /// In so many files.
    #[arg(long, default_value_t = 200)]
    files: usize,
    /// Functions of the project that one and two workers are measured with; 0: none.
    #[arg(long, default_value_t = 150)]
    queued: usize,
    /// Seconds for each function.
    #[arg(long, default_value_t = 1)]
    seconds: u64,
    /// Leave the native replays out, which take most of the time.
    #[arg(long)]
    no_replay: bool,
}

/// What `gen --all` itself may use, not counting the functions' own processes.
const MEMORY: u64 = 500 << 20;
/// What the index page may take to open.
const PAGE: Duration = Duration::from_secs(1);
/// How much faster two workers are than one.
const GAIN: f64 = 1.6;

pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant_for_queues(root, options.covenant.as_deref())?;
    let home = tempfile::tempdir()?;
    let project = home.path().join("project");
    subject::write(&project, options.functions, options.files)?;
    let mut good = true;
    let mut hold = |what: String, holds: bool| {
        println!("{} {what}", if holds { "ok  " } else { "MISS" });
        good &= holds;
    };
    let timeout = format!("{}s", options.seconds * options.functions as u64);
    let mut words = vec!["--timeout", timeout.as_str()];
    words.extend(options.no_replay.then_some("--no-replay"));
    let (took, memory) = measured(&covenant, &project, &words)?;
    let count = options.functions;
    hold(
        format!("{count} functions in {:.0} s ({:.2} s each)", took.as_secs_f64(), took.as_secs_f64() / count as f64),
        true,
    );
    hold(format!("{} MB of memory for `gen --all`", memory >> 20), memory < MEMORY);
    let (again, _) = measured(&covenant, &project, &words)?;
    hold(format!("{:.1} s for a second run", again.as_secs_f64()), true);
    let page = opened(&project.join("covenant-out/index.html"))?;
    hold(format!("the index page opens in {:.2} s", page.as_secs_f64()), page < PAGE);
    hold("reports are valid".to_owned(), valid(root, &covenant, &project)?);
    if options.queued > 0 {
        let one = queued(&covenant, home.path(), options, 1)?;
        let two = queued(&covenant, home.path(), options, 2)?;
        let gain = one.as_secs_f64() / two.as_secs_f64();
        let words = format!(
            "{:.1} s with one worker, {:.1} s with two: {gain:.2} times as fast",
            one.as_secs_f64(),
            two.as_secs_f64()
        );
        hold(words, gain >= GAIN);
    }
    Ok(good)
}

/// How long `gen --all` took, and the most memory that its own process had.
fn measured(covenant: &Path, project: &Path, more: &[&str]) -> Result<(Duration, u64)> {
    let mut command = Command::new(covenant);
    command.args(["gen", "--all", "-p", ".", "--no-config"]).args(more).current_dir(project);
    let started = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().context("covenant cannot be started")?;
    let mut memory = 0;
    let status = loop {
        memory = memory.max(peak(child.id()));
        if let Some(status) = child.try_wait()? {
            break status;
        }
        thread::sleep(Duration::from_millis(20));
    };
    ensure!(status.code().is_some_and(|code| code <= 1), "covenant: {status}");
    Ok((started.elapsed(), memory))
}

fn peak(process: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).map_or(0, |kb| kb << 10)
}

/// How much longer a browser takes for the page than for an empty one.
fn opened(page: &Path) -> Result<Duration> {
    let empty = page.with_file_name("empty.html");
    fs::write(&empty, "<!DOCTYPE html><title>empty</title>")?;
    let shown = |page: &Path| -> Result<Duration> {
        let profile = tempfile::tempdir()?;
        let mut command = Command::new("chromium");
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        command.arg(format!("file://{}", page.display())).stdout(Stdio::null()).stderr(Stdio::null());
        let started = Instant::now();
        ensure!(command.status().context("no chromium here")?.success(), "chromium failed");
        Ok(started.elapsed())
    };
    // The first one also fills the caches of the system.
    shown(&empty)?;
    let base = shown(&empty)?;
    let found = shown(page)?;
    fs::remove_file(&empty)?;
    Ok(found.saturating_sub(base))
}

/// Whether the tools of their kinds read the exports of a project.
fn valid(root: &Path, covenant: &Path, project: &Path) -> Result<bool> {
    let run = |program: &str, words: &[&str]| {
        let mut command = Command::new(program);
        command.args(words).current_dir(project).stdout(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let covenant = covenant.display().to_string();
    let schemas = root.join("crates/cli/tests/report").display().to_string();
    let out = project.join("covenant-out");
    let all = ["report", "covenant-out", "--quiet", "--format", "lcov,cobertura,junit,sarif,markdown,csv"];
    let json = |name: &str| {
        fs::read(out.join(name)).is_ok_and(|text| serde_json::from_slice::<serde_json::Value>(&text).is_ok())
    };
    Ok(run(&covenant, &all)
        && run(
            "xmllint",
            &["--noout", "--dtdvalid", &format!("{schemas}/cobertura.dtd"), "covenant-out/cobertura.xml"],
        )
        && run("xmllint", &["--noout", "--schema", &format!("{schemas}/junit.xsd"), "covenant-out/junit.xml"])
        && run("lcov", &["--quiet", "--summary", "covenant-out/lcov.info"])
        && json("report.json")
        && json("index.json"))
}

/// The time of a smaller project with so many workers, from a store that knows nothing of it.
fn queued(covenant: &Path, home: &Path, options: &Options, workers: usize) -> Result<Duration> {
    let folder = home.join(format!("queued-{workers}"));
    subject::write(&folder, options.queued, options.queued.div_ceil(10))?;
    let server = Server::start(&folder.join("store"))?;
    let url = server.url();
    let mut all = Vec::new();
    for _ in 0..workers {
        all.push(Worker::start(covenant, &url, "30s")?);
    }
    thread::sleep(Duration::from_secs(1));
    let (took, _) = measured(covenant, &folder, &["--timeout", "0", "--on", &url])?;
    Ok(took)
}
