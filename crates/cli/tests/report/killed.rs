//! `covenant gen` is killed in the middle of its search: the tests until then are there, and the next search starts from them.
//! `fifty_moments`, which is ignored unless asked for, does it at so many moments, at any time from the start to behind the end.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use libtest_mimic::Trial;
use serde_json::Value;

use crate::{LIMIT, covenant, process, trial};

/// Seconds after which the search is killed, where it has found nothing before.
const PATIENCE: u64 = 60;

pub(crate) fn add(trials: &mut Vec<Trial>) {
    trials.push(trial("killed::goes_on".to_owned(), &[], goes_on));
    trials.push(trial("killed::fifty_moments".to_owned(), &["gcc"], fifty_moments).with_ignored_flag(true));
}

const MOMENTS: u64 = 50;
/// The last of them, in milliseconds.
const LAST: u64 = 6000;

/// Where a generator of random numbers starts; another place by `COVENANT_TEST_SEED`.
fn seed() -> u64 {
    std::env::var("COVENANT_TEST_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1)
}

fn fifty_moments() -> Result<()> {
    let mut random = seed();
    let (mut searching, mut ended, mut tests) = (0, 0, 0);
    for number in 0..MOMENTS {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let after = (random >> 33) % LAST;
        let left = killed(after).with_context(|| format!("moment {number}, after {after} ms (seed {})", seed()))?;
        match left {
            Left::Found(count) => (searching, tests) = (searching + u64::from(count > 0), tests + count),
            Left::Results => ended += 1,
        }
    }
    eprintln!("killed {MOMENTS} times: {searching} times with {tests} tests in all, {ended} times behind the report");
    ensure!(searching > 0, "no search was killed that had found something");
    Ok(())
}

/// What was there when it was killed.
enum Left {
    /// So many tests of a search.
    Found(usize),
    /// A report.
    Results,
}

/// Kills a search after so many milliseconds: what it has found is whole, and replays.
fn killed(after: u64) -> Result<Left> {
    let home = tempfile::tempdir()?;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/programs/subjects/scheduler.c");
    let gen_for = |time: &str| {
        let mut command = covenant(home.path());
        command.arg("gen").arg(&file).args(["-o", "out", "--timeout", time]);
        command
    };
    let mut child = gen_for("3s").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    std::thread::sleep(Duration::from_millis(after));
    child.kill()?;
    child.wait()?;
    let (found, report) = (home.path().join("out/found"), home.path().join("out/report.json"));
    let tests = |folder: &Path| -> Result<usize> {
        let all: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        let tests: Vec<_> = all.iter().filter(|path| is_test(path)).collect();
        for path in &tests {
            let test = serde_json::from_slice::<Value>(&fs::read(path)?).context("half a file")?;
            ensure!(test["name"].is_string() && test["outcome"].is_string(), "{} is no test", path.display());
        }
        Ok(tests.len())
    };
    let kept = tests(&found)?;
    if report.exists() {
        let results: Value = serde_json::from_slice(&fs::read(&report)?).context("half a report")?;
        let told = results["tests"].as_array().map_or(0, Vec::len);
        let there = tests(&home.path().join("out/tests"))?;
        ensure!(told == there, "{told} tests are told, and {there} are there");
        let mut command = covenant(home.path());
        command.args(["replay", "out"]);
        replays(process::run(command, &[], LIMIT)?)?;
        return Ok(Left::Results);
    }
    // Goes on from all of them and searches no more to speak of: what it replays is what they are.
    let finished = process::run(gen_for("1s"), &[], LIMIT)?;
    if kept > 0 {
        ensure!(finished.stderr.contains(&format!("goes on from {kept} tests")), "{kept} tests\n{}", finished.stderr);
    }
    replays(finished)?;
    ensure!(tests(&home.path().join("out/tests"))? > 0, "no tests");
    Ok(Left::Found(kept))
}

fn replays(finished: process::Finished) -> Result<()> {
    match finished.status {
        Some(0 | 1) => Ok(()),
        status => bail!("{status:?}\n{}", process::tail(&finished.stderr, 9)),
    }
}

fn goes_on() -> Result<()> {
    let home = tempfile::tempdir()?;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/test-comp/endless_machine.c");
    let mut command = covenant(home.path());
    command.arg("gen").arg(&file).args(["-o", "out", "--timeout", "120s"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let found = home.path().join("out/found");
    let count = || fs::read_dir(&found).into_iter().flatten().flatten().filter(|e| is_test(&e.path())).count();
    for _ in 0..PATIENCE * 20 {
        if count() >= 2 {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill()?;
    child.wait()?;
    let kept = count();
    ensure!(kept >= 2, "{kept} tests were there when it was killed");
    ensure!(!home.path().join("out/report.json").exists(), "it came to its end");
    for entry in fs::read_dir(&found)?.flatten().filter(|e| is_test(&e.path())) {
        serde_json::from_slice::<Value>(&fs::read(entry.path())?).context("half a file")?;
    }
    let mut command = covenant(home.path());
    command.arg("gen").arg(&file).args(["-o", "out", "--timeout", "10s"]);
    let finished = process::run(command, &[], LIMIT)?;
    ensure!(matches!(finished.status, Some(0 | 1)), "{:?}\n{}", finished.status, process::tail(&finished.stderr, 9));
    ensure!(finished.stderr.contains("goes on from"), "{}", finished.stderr);
    ensure!(!found.exists() && home.path().join("out/report.json").exists(), "the results are not in their place");
    Ok(())
}

/// What is being written has another name until it is whole.
fn is_test(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "json")
}
