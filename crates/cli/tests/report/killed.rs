//! `covenant gen` is killed in the middle of its search: the tests until then are there, and the next search starts from them.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use libtest_mimic::Trial;
use serde_json::Value;

use crate::{LIMIT, covenant, process, trial};

/// Seconds after which the search is killed, where it has found nothing before.
const PATIENCE: u64 = 60;

pub(crate) fn add(trials: &mut Vec<Trial>) {
    trials.push(trial("killed::goes_on".to_owned(), &[], goes_on));
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
