//! `cargo xtask kill-queue`: workers and the server of a queue are killed at moments of chance, and results must be those of one machine.

use super::server::{Server, Worker};
use super::subject;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
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
    /// So many moments.
    #[arg(long, default_value_t = 20)]
    moments: usize,
    /// For what is chance.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Functions of each of the projects: enough to be killed in the middle of.
const FUNCTIONS: usize = 12;
/// When a killed worker's function goes to another.
const ACK_TIME: &str = "2s";
/// A project that is not done by then is lost.
const LIMIT: Duration = Duration::from_secs(300);

/// Each moment has a project and a server of its own; two workers, one of them or the server is killed, and comes back.
pub(crate) fn run(root: &Path, options: &Options) -> Result<bool> {
    let covenant = crate::covenant_for_queues(root, options.covenant.as_deref())?;
    let home = tempfile::tempdir()?;
    let local = home.path().join("local");
    subject::write(&local, FUNCTIONS, 3)?;
    let started = Instant::now();
    ensure!(all(&covenant, &local, &[])?.wait()?.code().is_some_and(|code| code <= 1), "the local run failed");
    // So that most moments are in the middle of the work.
    let span = started.elapsed().as_millis() as u64 * 2 / 3;
    let expected = results(&local)?;
    let mut lots = options.seed;
    let mut wrong = 0;
    for moment in 0..options.moments {
        lots = lots.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (whom, when) = ((lots >> 60) % 3, (lots >> 33) % span.max(1));
        let folder = home.path().join(format!("moment-{moment}"));
        let word = ["a worker", "the server", "both"][whom as usize];
        let found = one(&covenant, &folder, whom, Duration::from_millis(when));
        let verdict = match found.and_then(|()| results(&folder)) {
            Ok(found) if found == expected => "as on one machine".to_owned(),
            Ok(found) => difference(&expected, &found),
            Err(error) => format!("{error:#}"),
        };
        wrong += usize::from(verdict != "as on one machine");
        println!("{word} killed after {when} ms: {verdict}");
        let _ = fs::remove_dir_all(&folder);
    }
    println!("{} of {} moments as on one machine", options.moments - wrong, options.moments);
    Ok(wrong == 0)
}

fn one(covenant: &Path, folder: &Path, whom: u64, when: Duration) -> Result<()> {
    subject::write(folder, FUNCTIONS, 3)?;
    let mut server = Server::start(&folder.join("store"))?;
    let url = server.url();
    let mut first = Worker::start(covenant, &url, ACK_TIME)?;
    let _second = Worker::start(covenant, &url, ACK_TIME)?;
    let mut asks = all(covenant, folder, &["--on", &url])?;
    thread::sleep(when);
    if whom != 1 {
        first.kill()?;
    }
    if whom != 0 {
        server.kill_and_start()?;
    }
    let _third = Worker::start(covenant, &url, ACK_TIME)?;
    let started = Instant::now();
    while asks.try_wait()?.is_none() {
        if started.elapsed() > LIMIT {
            asks.kill()?;
            asks.wait()?;
            anyhow::bail!("not done after {} s", LIMIT.as_secs());
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

fn all(covenant: &Path, folder: &Path, more: &[&str]) -> Result<std::process::Child> {
    let mut command = Command::new(covenant);
    // Time must not decide what is found.
    command
        .args(["gen", "--all", "-p", ".", "--quiet", "--timeout", "0", "--no-config"])
        .args(more)
        .current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().context("covenant cannot be started")
}

/// What a project's report says, but for times.
fn results(folder: &Path) -> Result<Value> {
    let text = fs::read(folder.join("covenant-out/report.json")).context("there is no report")?;
    let mut report: Value = serde_json::from_slice(&text)?;
    for name in ["stats", "timeline"] {
        report.as_object_mut().context("no report")?.remove(name);
    }
    report["subject"] = Value::Null;
    let names = report["tests"].as_array().map(Vec::len).unwrap_or_default();
    ensure!(names > 0, "there are no tests");
    Ok(report)
}

fn difference(expected: &Value, found: &Value) -> String {
    let members = expected.as_object().into_iter().flatten();
    let other: Vec<&str> =
        members.filter(|(name, value)| found[name.as_str()] != **value).map(|(name, _)| name.as_str()).collect();
    format!("differs in {}", other.join(", "))
}
